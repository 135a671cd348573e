// What pages do beyond showing: keep themselves up to date, say what a point of a plot is, and preview a request.
"use strict";

const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// ---- times in the reader's own zone

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function localTimes(root) {
  for (const time of all("time[datetime]", root)) {
    const date = new Date(time.dateTime);
    if (!Number.isNaN(date.getTime())) {
      time.textContent = clock.format(date);
    }
  }
}

// ---- parts that change while runs go on

// The server sends the part again whenever it has changed. A browser opens only a few connections
// to a server, so a page that is not in view has none.
function follow(part) {
  let stream = null;
  const lost = find("#lost");
  const busy = () => find("[data-busy]", part);
  // What is being clicked stays where it is.
  let held = false;
  part.addEventListener("pointerdown", () => { held = true; });
  document.addEventListener("pointerup", () => setTimeout(() => { held = false; }));

  const show = (event) => {
    lost.hidden = true;
    if (!held && !part.contains(document.activeElement)) {
      part.innerHTML = event.data;
      localTimes(part);
      tip.hidden = true;
    }
  };

  const open = () => {
    if (stream || document.hidden || !busy()) {
      return;
    }
    stream = new EventSource(part.dataset.follow);
    stream.onmessage = show;
    stream.addEventListener("end", (event) => {
      close();
      if ("reload" in part.dataset) {
        // What stands around the part has changed as well.
        location.reload();
      } else {
        show(event);
      }
    });
    stream.onopen = () => { lost.hidden = true; };
    stream.onerror = () => {
      lost.textContent = "The connection to assay serve is lost. What you see may be out of date; "
        + "trying again …";
      lost.hidden = false;
      if (stream.readyState === EventSource.CLOSED) {
        close();
        setTimeout(open, 3000);
      }
    };
  };

  const close = () => {
    stream?.close();
    stream = null;
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  open();
}

// ---- values under the pointer

const tip = find("#tip");

document.addEventListener("pointermove", (event) => {
  const about = event.target.closest ? event.target.closest("[data-tip]") : null;
  tip.hidden = !about;
  if (about) {
    tip.textContent = about.dataset.tip;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const top = event.clientY + tip.offsetHeight + 24 > innerHeight
      ? event.clientY - tip.offsetHeight - 12
      : event.clientY + 16;
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = top + "px";
  }
});

// ---- plots as PNG: the SVG drawn on a canvas, twice as large

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function png(figure) {
  const svg = find("svg", figure);
  const box = svg.viewBox.baseVal;
  const picture = new Image();
  const text = new XMLSerializer().serializeToString(svg);
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = box.width * 2;
    canvas.height = box.height * 2;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, figure.dataset.plot + ".png"), "image/png");
  };
  picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

async function copy(button) {
  const text = find("pre", button.parentElement).textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch (e) {
    const range = document.createRange();
    range.selectNodeContents(find("pre", button.parentElement));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    button.textContent = "Selected";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button && "png" in button.dataset) {
    png(button.closest("figure"));
  } else if (button && "svg" in button.dataset) {
    const svg = new XMLSerializer().serializeToString(find("svg", button.closest("figure")));
    save(new Blob([svg], { type: "image/svg+xml" }), button.closest("figure").dataset.plot + ".svg");
  } else if (button && "csv" in button.dataset) {
    save(new Blob([button.dataset.csv], { type: "text/csv" }),
      button.closest("figure").dataset.plot + ".csv");
  } else if (button && "copy" in button.dataset) {
    copy(button);
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.act === "delete" && !confirm("Delete this run and its files?")) {
    event.preventDefault();
  }
});

// ---- bugs: a label is saved as it is chosen

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form && "note" in form.dataset && event.target.name === "label") {
    form.requestSubmit();
  }
});

// ---- the configuration page

const MOST_FILES = 20;

function configure(form) {
  const source = () => new FormData(form).get("source");
  const start = find("#start");
  let turn = 0;
  let before = source();

  const fit = () => {
    const chosen = source();
    for (const element of all("[data-for]", form)) {
      const fits = element.dataset.for.split(" ").includes(chosen);
      element.hidden = !fits;
      if (element.tagName === "OPTION") {
        element.disabled = !fits;
      }
    }
    const database = form.elements.database;
    if (chosen !== before && chosen === "jdbc" && !form.elements.url.value) {
      database.value = "";
    }
    before = chosen;
    if (database.selectedOptions[0] && database.selectedOptions[0].disabled) {
      database.value = chosen === "jdbc" ? "" : "h2";
    }
    // What the database does not offer is not asked for, not even by a box that was ticked before.
    const offers = (database.selectedOptions[0]?.dataset.offers || "").split(" ");
    for (const element of all("[data-needs]", form)) {
      const fits = !element.hidden && offers.includes(element.dataset.needs);
      element.hidden = !fits;
      all("input", element).forEach((input) => { input.disabled = !fits; });
    }
    for (const group of all("[data-database]", form)) {
      const fits = !group.hidden && group.dataset.database === database.value;
      group.hidden = !fits;
      all("input", group).forEach((input) => { input.disabled = !fits; });
    }
    const mixed = find("[name=workload][value=mixed]", form);
    if (chosen === "synthetic" && mixed.checked) {
      mixed.checked = false;
      find("[name=workload][value=register]", form).checked = true;
    }
    all(".tier", form).forEach(sumUp);
  };

  // What a folded part says: the values in it that are not the usual ones.
  const sumUp = (tier) => {
    const said = [];
    for (const input of all("input, select", tier)) {
      const visible = !input.disabled && !input.closest("[hidden]");
      if (!visible || input.type === "hidden" || input.type === "file") {
        continue;
      }
      if (input.type === "checkbox") {
        if (input.checked) {
          said.push(input.value === "yes" ? input.name.replaceAll("-", " ") : input.value);
        }
      } else if (input.value && input.value !== input.placeholder) {
        said.push(input.name.replaceAll("-", " ") + " " + input.value);
      }
    }
    find(".said", tier).textContent = said.join(" · ") || "defaults";
  };

  // One name is chosen, or several after "compare several".
  const choose = (box) => {
    const group = box.closest("[data-choice]");
    if (group && group.dataset.choice === "one" && box.checked) {
      all("input", group).forEach((other) => { other.checked = other === box; });
    }
  };

  const several = (button) => {
    const group = button.closest("[data-choice]");
    const on = group.dataset.choice === "one";
    group.dataset.choice = on ? "several" : "one";
    if (!on) {
      all("input:checked", group).slice(1).forEach((box) => { box.checked = false; });
    }
    button.textContent = on ? "choose one" : "compare several";
    preview();
  };

  const fields = () => {
    const data = new URLSearchParams(new FormData(form));
    data.delete("password");
    return data;
  };

  // A problem; where it proposes another name, a click takes that.
  const say = (place, problem) => {
    place.textContent = problem;
    const meant = problem.match(/'([^']+)'; did you mean (\S+)\?/);
    const input = form.elements[place.dataset.problem];
    if (meant && input && input.value !== undefined) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "link";
      button.textContent = "use " + meant[2];
      button.addEventListener("click", () => {
        input.value = input.value.replace(meant[1], meant[2]);
        preview();
      });
      place.append(" ", button);
    }
  };

  const show = (answer) => {
    for (const place of all("[data-problem]", form)) {
      const problem = answer.problems[place.dataset.problem] || "";
      say(place, problem);
      if (problem && place.closest(".tier")) {
        place.closest(".tier").open = true;
      }
      const input = form.elements[place.dataset.problem];
      if (input && input.toggleAttribute) {
        input.toggleAttribute("aria-invalid", problem !== "");
      }
    }
    for (const place of all("[data-caution]", form)) {
      place.textContent = answer.cautions[place.dataset.caution] || "";
    }
    const wrong = Object.keys(answer.problems).length;
    start.disabled = wrong > 0;
    const runs = answer.runs === 1 ? "One run" : answer.runs + " runs, as a batch";
    const queue = answer.before === 0 ? "" : ", after " + answer.before + " in the queue";
    find("#count").textContent = wrong > 0
      ? (wrong === 1 ? "One field needs attention." : wrong + " fields need attention.")
      : runs + ": " + answer.time + queue + ".";
    find("#commands").textContent = answer.commands.join("\n");
  };

  // Answers may overtake each other, so the turn is looked at when all of the answer is here: its
  // head alone may come long before its body.
  const preview = async () => {
    const own = ++turn;
    fit();
    try {
      const answer = await fetch("/preview", { method: "POST", body: fields() });
      const reply = answer.ok ? await answer.json() : null;
      if (reply && own === turn) {
        show(reply);
      }
    } catch (e) {
      // The server is away; the next change asks again.
    }
  };

  // A file is sent as soon as it is chosen; the form has only the id that it then has.
  const sendWhenChosen = (file) => {
    const id = form.elements[file.dataset.upload];
    file.addEventListener("change", async (event) => {
      event.stopPropagation();
      const chosen = [...file.files];
      id.value = "";
      if (!chosen.length) {
        preview();
        return;
      }
      start.disabled = true;
      const place = find("[data-problem=" + file.dataset.upload + "]", form);
      try {
        if (chosen.length > MOST_FILES) {
          throw new Error("at most " + MOST_FILES + " files at a time");
        }
        const ids = [];
        for (const one of chosen) {
          find("#count").textContent = "Uploading " + one.name + " …";
          ids.push(await send(one));
        }
        if (file.files[0] === chosen[0]) {
          id.value = ids.join(",");
          form.elements[file.dataset.label].value = chosen[0].name.slice(0, 100);
          preview();
        }
      } catch (e) {
        place.textContent = e.message;
        find("#count").textContent = "";
      }
    });
  };

  const send = async (file) => {
    const address = "/uploads?name=" + encodeURIComponent(file.name);
    const answer = await fetch(address, { method: "POST", body: file });
    if (!answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      throw new Error(find(".why", page).textContent);
    }
    return (await answer.json()).upload;
  };

  const carriesFiles = (event) => [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (carriesFiles(event)) {
      event.preventDefault();
      form.classList.add("dropping");
    }
  });
  document.addEventListener("dragleave", () => form.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    form.classList.remove("dropping");
    if (carriesFiles(event)) {
      event.preventDefault();
      find("[name=source][value=upload]", form).checked = true;
      const file = find("#upload-file", form);
      file.files = event.dataTransfer.files;
      file.dispatchEvent(new Event("change"));
      preview();
    }
  });
  all("[data-upload]", form).forEach(sendWhenChosen);
  form.addEventListener("input", preview);
  form.addEventListener("change", (event) => {
    choose(event.target);
    preview();
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-several]");
    if (button) {
      several(button);
    }
  });
  preview();
}

localTimes(document);
all("[data-follow]").forEach(follow);
if (find("#configure")) {
  configure(find("#configure"));
}
