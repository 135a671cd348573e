; Part of assay-core and of assay.jar: (:require [assay.jepsen :as assay]) in a Jepsen test.
(ns assay.jepsen
  "Assay as a Jepsen checker: results are plain data, as those of other checkers."
  (:require [clojure.java.io :as io]
            [jepsen.checker :as checker])
  (:import (dev.assay Assay Report)
           (dev.assay.check Anomaly Budget Evidence Verdict)
           (dev.assay.explain Explainer)
           (dev.assay.history History)
           (dev.assay.level Level)
           (java.io File Writer)
           (java.time Duration)))

(defn level
  "The level of this name, Elle's names and aliases included."
  ^Level [name]
  (.orElseThrow (Level/find (clojure.core/name name))))

(defn read-history
  "A Jepsen history as one of Assay's. It goes through a file, so that its size does not matter."
  ^History [ops]
  (let [file (File/createTempFile "assay" ".edn")]
    (try
      (with-open [^Writer out (io/writer file)]
        (binding [*print-length* nil, *print-level* nil, *print-namespace-maps* false]
          (doseq [op ops]
            (.write out (pr-str (select-keys op [:index :time :type :process :f :value])))
            (.write out "\n"))))
      (Assay/read (.toPath file))
      (finally
        (io/delete-file file)))))

(defn- id [named]
  (keyword (str named)))

(defn- witness [^Explainer explainer ^Anomaly anomaly ^Evidence evidence]
  (vec (.sentences (.explain explainer anomaly evidence))))

(defn report->map
  "What a report says, judged by the given levels."
  [^Report report levels]
  (let [explainer (Explainer. (.history report))]
    {:valid?           (cond (some #(.violated report %) levels) false
                             (every? #(.holds report %) levels) true
                             :else :unknown)
     :levels           (into {}
                             (for [[level ^Verdict verdict] (.verdicts report)]
                               [(id level) (id (.id verdict))]))
     :strongest        (mapv id (.strongest report))
     :weakest-violated (mapv id (.weakestViolated report))
     :anomalies        (into {}
                             (for [^Anomaly anomaly (.anomalies report)]
                               [(id (.type anomaly))
                                {:count     (.count anomaly)
                                 :witnesses (mapv #(witness explainer anomaly %)
                                                  (.witnesses anomaly))}]))
     :notes            (vec (.notes report))}))

(defn checker
  "Options: :levels, names of the levels that must hold (strict-serializable by default);
  :survey?, whether to say of all other levels too if they hold; :timeout-seconds (600)."
  ([] (checker {}))
  ([{:keys [levels survey? timeout-seconds]
     :or   {levels [:strict-serializable], survey? true, timeout-seconds 600}}]
   (let [judged (mapv level levels)
         asked  (if survey? (into (set judged) (Level/surveyed)) judged)]
     (reify checker/Checker
       (check [_ _test history _opts]
         (let [budget (Budget/of (Duration/ofSeconds timeout-seconds))]
           (report->map (Assay/check (read-history history) asked budget) judged)))))))
