"use strict";
(() => {
  // ---- small things
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const words = (element, name) => (element.dataset[name] || "").split(" ").filter(Boolean);
  const round = (number) => Math.round(number * 10) / 10;
  const root = document.documentElement;
  root.classList.add("js");

  let saidTimer;
  function say(text) {
    const box = document.getElementById("said");
    box.textContent = text;
    box.classList.add("now");
    clearTimeout(saidTimer);
    saidTimer = setTimeout(() => box.classList.remove("now"), 1800);
  }

  function theme() {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }

  // ---- one witness: its graph, its sentences, its timeline
  const ROW = 64;
  const BENDS = [0, 30, -30, 60, -60, 95, -95, 135, -135, 180, -180, 230, -230, 290, -290];
  const LABELS = [0.5, 0.4, 0.6, 0.3, 0.7];
  const SAMPLES = 60;
  // As in Cells.java.
  const [HEAD, LINE, PADDING, ADVANCE] = [26, 18, 10, 7.3];
  const pair = (text) => text.split(" ").map(Number);

  class Case {
    constructor(element) {
      this.element = element;
      this.svg = element.querySelector("svg.graph");
      this.nodes = all("[data-node]", this.svg).map((el) => {
        const [width, height] = pair(el.dataset.size);
        return {
          el, id: el.dataset.node, width, height, least: [width, height], wide: pair(el.dataset.wide),
          narrow: pair(el.dataset.narrow), outer: el.classList.contains("outer"),
        };
      });
      this.byId = new Map(this.nodes.map((node) => [node.id, node]));
      this.links = all("[data-link]", this.svg).map((el) => ({
        el, id: el.dataset.link, from: this.byId.get(el.dataset.from),
        to: this.byId.get(el.dataset.to), steps: words(el, "steps"), label: +el.dataset.label,
      }));
      this.steps = new Map(all("[data-step]", element).map((el) => [el.dataset.step, el]));
      this.state = { open: [], hidden: [], marked: [], unfolded: [], moved: {} };
      this.view = { scale: 1, x: 0, y: 0 };
      this.at = null;
      this.past = [];
      this.future = [];
      this.current = null;
      this.listen();
    }

    // ---- state, and going back in it
    change(edit) {
      this.past.push(JSON.stringify(this.state));
      this.future = [];
      edit(this.state);
      this.show();
    }

    travel(from, to) {
      if (from.length) {
        to.push(JSON.stringify(this.state));
        this.state = JSON.parse(from.pop());
        this.show();
      }
    }

    toggle(list, item) {
      this.change((state) => {
        const at = state[list].indexOf(item);
        if (at < 0) state[list].push(item);
        else state[list].splice(at, 1);
      });
    }

    expandable() {
      return [...this.steps].filter(([, el]) => el.querySelector(":scope > .line > .toggle"));
    }

    openAll(open) {
      const numbers = open ? this.expandable().map(([number]) => number) : [];
      this.change((state) => (state.open = numbers));
    }

    /** Opens or closes all the steps that an edge stands for, with those that lead to them. */
    toggleLink(link) {
      const steps = link.steps.filter((number) => this.isExpandable(number));
      const visible = steps.filter((number) => this.isVisible(number));
      const chosen = visible.length ? visible : steps;
      if (!chosen.length) return;
      const close = chosen.every((number) => this.state.open.includes(number));
      this.change((state) => {
        state.open = state.open.filter((number) => !chosen.includes(number));
        if (!close) state.open.push(...chosen);
      });
    }

    isExpandable(number) {
      return !!this.steps.get(number)?.querySelector(":scope > .line > .toggle");
    }

    isVisible(number) {
      const parent = this.steps.get(number)?.parentElement.closest("[data-step]");
      return !parent
        || (this.state.open.includes(parent.dataset.step) && this.isVisible(parent.dataset.step));
    }

    // ---- what is there to see, and where
    show() {
      const { open, hidden, marked } = this.state;
      for (const [number, el] of this.steps) {
        const toggle = el.querySelector(":scope > .line > .toggle");
        const isOpen = open.includes(number);
        el.classList.toggle("closed", !isOpen);
        if (toggle) toggle.setAttribute("aria-expanded", isOpen);
      }
      for (const link of this.links) {
        const wanted = link.steps.some((number) => this.isVisible(number));
        const there = (node) => node && !hidden.includes(node.id);
        link.visible = wanted && !hidden.includes(link.id) && there(link.from) && there(link.to);
        if (link.el.hasAttribute("aria-expanded")) {
          const isOpen = link.steps.some((n) => open.includes(n) && this.isVisible(n));
          link.el.setAttribute("aria-expanded", isOpen);
        }
      }
      for (const node of this.nodes) {
        const used = this.links.some((l) => l.visible && (l.from === node || l.to === node));
        const seen = words(node.el, "steps").some((number) => open.includes(number));
        node.visible = (node.outer || used || seen) && !hidden.includes(node.id);
      }
      for (const item of [...this.nodes, ...this.links]) {
        item.el.style.display = item.visible ? "" : "none";
        item.el.classList.toggle("marked", marked.includes(item.id));
      }
      this.nodes.forEach((node) => this.unfold(node));
      this.place();
      this.route();
      this.fit();
      this.buttons();
    }

    /** Gives a node room for the operations that are shown of it. */
    unfold(node) {
      const lines = all(".op", node.el);
      if (!lines.some((line) => line.classList.contains("more"))) return;
      let [width] = node.least;
      let y = HEAD;
      let isOpen = false;
      lines.forEach((line, i) => {
        if (line.classList.contains("more")) {
          isOpen = this.state.unfolded.includes(node.id + " " + i);
          line.setAttribute("aria-expanded", isOpen);
          line.dataset.fold = node.id + " " + i;
        }
        const visible = line.classList.contains("more") ? !isOpen
          : !line.classList.contains("folded") || isOpen;
        line.classList.toggle("there", visible);
        if (visible) {
          y += LINE;
          line.setAttribute("y", y - 2);
          width = Math.max(width, line.textContent.length * ADVANCE + 2 * PADDING);
        }
      });
      node.width = round(width);
      node.height = y + PADDING;
      const box = node.el.querySelector(".box");
      box.setAttribute("width", node.width);
      box.setAttribute("height", node.height);
      node.el.querySelector(".rule").setAttribute("d", `M0 ${HEAD}H${node.width}`);
      node.el.querySelector(".where").setAttribute("x", node.width - PADDING);
    }

    buttons() {
      const set = (action, on) => {
        const button = this.element.querySelector(`[data-action="${action}"]`);
        if (button) button.disabled = !on;
      };
      set("undo", this.past.length);
      set("redo", this.future.length);
      set("show", this.state.hidden.length);
      set("mark", this.current);
      set("hide", this.current);
      set("collapse", this.state.open.length);
    }

    get mode() {
      return this.svg.closest(".scroll").clientWidth < 560 ? "narrow" : "wide";
    }

    /** Those of the circle stand where the page has them; what reasons mention comes below. */
    place() {
      const mode = this.mode;
      let bottom = 0;
      const outer = this.nodes.filter((n) => n.outer);
      for (const node of outer) {
        [node.x, node.y] = node[mode];
        node.x -= (node.width - node.least[0]) / 2;
        // What stands above may have grown.
        const grown = outer.filter((n) => n[mode][1] + n.least[1] <= node[mode][1])
          .map((n) => n.height - n.least[1]);
        node.y += Math.max(0, ...grown);
        bottom = Math.max(bottom, node.y + node.height);
      }
      const inner = this.nodes.filter((n) => !n.outer);
      const middle = inner.map((n) => n[mode][0] + n.width / 2);
      const columns = mode === "wide" ? 2 : 1;
      let rowHeight = 0;
      let y = bottom + ROW;
      inner.filter((n) => n.visible).forEach((node, i) => {
        const column = i % columns;
        if (i > 0 && column === 0) {
          y += rowHeight + ROW;
          rowHeight = 0;
        }
        node.x = round((middle[column] ?? middle[0]) - node.width / 2);
        node.y = y;
        rowHeight = Math.max(rowHeight, node.height);
      });
      for (const node of this.nodes) {
        const moved = this.state.moved[mode + node.id];
        if (moved) [node.x, node.y] = moved;
        if (node.visible) {
          node.el.setAttribute("transform", `translate(${round(node.x)} ${round(node.y)})`);
        }
      }
    }

    // ---- the ways of the edges: one bend, as small as possible, that avoids the rest
    route() {
      const boxes = this.nodes.filter((node) => node.visible);
      const labels = [];
      const visible = this.links.filter((link) => link.visible);
      for (const link of visible) {
        const paired = visible.some((other) => other !== link
          && ((other.from === link.from && other.to === link.to)
            || (other.from === link.to && other.to === link.from)));
        let least = Infinity;
        for (const bend of BENDS) {
          const bare = link.from === link.to ? loop(link.from, bend) : bent(link.from, link.to, bend);
          const line = Math.abs(bend) * 0.6 + (bend < 0 ? 1 : 0) + (paired && !bend ? 60 : 0)
            + lineCost(bare, link, boxes, labels);
          for (const t of LABELS) {
            const [lx, ly] = at(bare, t);
            const way = { ...bare, lx, ly };
            const cost = line + Math.abs(t - 0.5) * 80
              + labelCost(labelBox(way, link.label), boxes, labels, this.mode);
            if (cost < least - 1e-9) {
              least = cost;
              link.way = way;
            }
          }
        }
        labels.push(labelBox(link.way, link.label));
        this.draw(link);
      }
    }

    draw({ el, way }) {
      const d = `M${round(way.sx)} ${round(way.sy)}Q${round(way.cx)} ${round(way.cy)} `
        + `${round(way.ex)} ${round(way.ey)}`;
      el.querySelector(".hit").setAttribute("d", d);
      el.querySelector(".line").setAttribute("d", d);
      const length = Math.hypot(way.ex - way.cx, way.ey - way.cy) || 1;
      const ux = (way.ex - way.cx) / length;
      const uy = (way.ey - way.cy) / length;
      const bx = way.ex - 10 * ux;
      const by = way.ey - 10 * uy;
      el.querySelector(".head").setAttribute("d", `M${round(way.ex)} ${round(way.ey)}`
        + `L${round(bx - 4.5 * uy)} ${round(by + 4.5 * ux)}`
        + `L${round(bx + 4.5 * uy)} ${round(by - 4.5 * ux)}Z`);
      el.querySelector(".tag")
        .setAttribute("transform", `translate(${round(way.lx)} ${round(way.ly)})`);
    }

    fit() {
      const boxes = this.nodes.filter((node) => node.visible);
      for (const link of this.links.filter((l) => l.visible)) {
        boxes.push(labelBox(link.way, link.label));
        for (let i = 0; i <= SAMPLES; i++) {
          const [x, y] = at(link.way, i / SAMPLES);
          boxes.push({ x, y, width: 0, height: 0 });
        }
      }
      if (!boxes.length) return;
      const margin = 14;
      const left = Math.floor(Math.min(...boxes.map((b) => b.x)) - margin);
      const top = Math.floor(Math.min(...boxes.map((b) => b.y)) - margin);
      const right = Math.ceil(Math.max(...boxes.map((b) => b.x + b.width)) + margin);
      const bottom = Math.ceil(Math.max(...boxes.map((b) => b.y + b.height)) + margin);
      this.paper = { left, top, width: right - left, height: bottom - top };
      this.svg.setAttribute("width", right - left);
      this.svg.setAttribute("height", bottom - top);
      this.look();
    }

    // ---- zoom and pan
    look() {
      const { left, top, width, height } = this.paper;
      const { scale, x, y } = this.view;
      this.svg.setAttribute("viewBox",
        `${round(left + x)} ${round(top + y)} ${round(width / scale)} ${round(height / scale)}`);
      this.svg.classList.toggle("zoomed", scale !== 1 || x !== 0 || y !== 0);
    }

    /** Zooms around a point of the picture, given as shares of its width and height. */
    zoom(factor, px = 0.5, py = 0.5) {
      const before = this.view.scale;
      const scale = Math.min(6, Math.max(0.5, before * factor));
      this.view.x += this.paper.width * px * (1 / before - 1 / scale);
      this.view.y += this.paper.height * py * (1 / before - 1 / scale);
      this.view.scale = scale;
      this.look();
    }

    pan(dx, dy) {
      this.view.x += dx;
      this.view.y += dy;
      this.look();
    }

    // ---- through the argument, one step after another
    go(by) {
      const numbers = [...this.steps.keys()].filter((number) => this.isVisible(number));
      const next = this.at === null ? (by > 0 ? 0 : numbers.length - 1)
        : numbers.indexOf(this.at) + by;
      this.at = numbers[Math.min(numbers.length - 1, Math.max(0, next))] ?? null;
      this.element.querySelector(".stepper .at").textContent =
        `${numbers.indexOf(this.at) + 1} of ${numbers.length}`;
      for (const [number, el] of this.steps) el.classList.toggle("current", number === this.at);
      this.light({});
      this.steps.get(this.at)?.scrollIntoView({ block: "nearest" });
      this.follow();
    }

    /** The timeline shows the transactions of the step. */
    follow() {
      for (const scroll of all(".times .scroll:not([hidden])", this.element)) {
        const bars = all(".bar.lit", scroll).map((bar) => bar.getBoundingClientRect());
        if (bars.length) {
          const frame = scroll.getBoundingClientRect();
          const left = Math.min(...bars.map((b) => b.left)) - frame.left;
          const right = Math.max(...bars.map((b) => b.right)) - frame.left;
          scroll.scrollTo({
            left: scroll.scrollLeft + (left + right - frame.width) / 2, behavior: "smooth",
          });
        }
      }
    }

    // ---- lighting what belongs together
    light(what) {
      // The step that one has gone to stays lit.
      if (!Object.keys(what).length && this.at !== null) return this.light({ steps: [this.at] });
      const steps = new Set(what.steps);
      const ops = new Set(what.ops);
      const nodes = new Set(what.nodes);
      const links = new Set(what.links);
      for (const [number, el] of this.steps) {
        if (words(el, "ops").some((op) => (what.ops || []).includes(op))) steps.add(number);
      }
      for (const link of this.links) {
        const touched = what.touching && [link.from.id, link.to.id].includes(what.touching);
        if (link.steps.some((number) => steps.has(number)) || touched) links.add(link.id);
        if (links.has(link.id) && link.visible) {
          nodes.add(link.from.id).add(link.to.id);
          if (what.links || touched) link.steps.forEach((number) => steps.add(number));
        }
      }
      if (!what.touching) {
        steps.forEach((n) => words(this.steps.get(n), "ops").forEach((op) => ops.add(op)));
      }
      for (const [number, el] of this.steps) el.classList.toggle("lit", steps.has(number));
      for (const link of this.links) link.el.classList.toggle("lit", links.has(link.id));
      for (const op of all("[data-op]", this.svg)) {
        const lit = ops.has(op.dataset.op);
        op.classList.toggle("lit", lit);
        if (lit) nodes.add(op.closest("[data-node]").dataset.node);
      }
      for (const node of this.nodes) node.el.classList.toggle("lit", nodes.has(node.id));
      for (const bar of all("[data-txn]", this.element)) {
        bar.classList.toggle("lit", nodes.has(bar.dataset.txn));
      }
      this.svg.classList.toggle("lighting", nodes.size + links.size > 0);
      return undefined;
    }

    lightFor(target) {
      const step = target.closest?.("[data-step]");
      const op = target.closest?.("[data-op].named");
      const link = target.closest?.("[data-link]");
      const node = target.closest?.("[data-node], [data-txn]");
      if (op) this.light({ ops: [op.dataset.op] });
      else if (link) this.light({ links: [link.dataset.link] });
      else if (node) {
        const id = node.dataset.node || node.dataset.txn;
        this.light({ nodes: [id], touching: id });
      } else if (step) this.light({ steps: [step.dataset.step] });
      else this.light({});
    }

    // ---- what people do
    listen() {
      this.element.addEventListener("pointerover", (event) => {
        if (!this.drag) this.lightFor(event.target);
      });
      this.element.addEventListener("pointerleave", () => this.light({}));
      this.element.addEventListener("focusin", (event) => {
        const item = event.target.closest("[data-node], [data-link]");
        if (item) this.current = item.dataset.node || item.dataset.link;
        if (!this.drag) this.lightFor(event.target);
        this.buttons();
      });
      this.element.addEventListener("click", (event) => this.click(event));
      this.svg.addEventListener("pointerdown", (event) => this.grab(event));
      this.svg.addEventListener("pointermove", (event) => this.pull(event));
      this.svg.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const frame = this.svg.getBoundingClientRect();
        this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15,
          (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
      }, { passive: false });
      for (const end of ["pointerup", "pointercancel"]) {
        this.svg.addEventListener(end, () => this.drop());
      }
    }

    click(event) {
      const target = event.target;
      const action = target.closest("[data-action]")?.dataset.action;
      const toggle = target.closest(".toggle");
      const link = target.closest("[data-link]");
      const take = target.closest("[data-export], [data-download]");
      const fold = target.closest("[data-fold]");
      if (fold) this.toggle("unfolded", fold.dataset.fold);
      else if (action) this.act(action);
      else if (toggle) this.toggle("open", toggle.closest("[data-step]").dataset.step);
      else if (link) this.toggleLink(this.links.find((l) => l.el === link));
      else if (take) takeAway(this, take);
    }

    act(action) {
      const { hidden } = this.state;
      switch (action) {
        case "expand": return this.openAll(true);
        case "collapse": return this.openAll(false);
        case "undo": return this.travel(this.past, this.future);
        case "redo": return this.travel(this.future, this.past);
        case "mark": return this.current && this.toggle("marked", this.current);
        case "hide":
          if (this.current && !hidden.includes(this.current)) {
            this.toggle("hidden", this.current);
            say("hidden; Show all brings it back");
          }
          return undefined;
        case "show": return hidden.length && this.change((state) => (state.hidden = []));
        case "neighbours": return this.neighbours();
        case "closer": return this.zoom(1.25);
        case "farther": return this.zoom(0.8);
        case "fit":
          this.view = { scale: 1, x: 0, y: 0 };
          return this.look();
        case "forth": return this.go(1);
        case "back": return this.go(-1);
        default: return undefined;
      }
    }

    neighbours() {
      const button = this.element.querySelector('[data-action="neighbours"]');
      if (!button) return;
      const wider = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", wider);
      this.element.querySelector(".times .alone").hidden = wider;
      this.element.querySelector(".times .wider").hidden = !wider;
    }

    grab(event) {
      const el = event.target.closest("[data-node]");
      if (event.button !== 0 || event.pointerType === "touch") return;
      if (event.target.closest("[data-fold], [data-link]")) return;
      if (!el) {
        this.drag = { x: event.clientX, y: event.clientY };
        this.svg.setPointerCapture(event.pointerId);
        event.preventDefault();
        return;
      }
      const node = this.byId.get(el.dataset.node);
      this.drag = { node, x: event.clientX, y: event.clientY, from: [node.x, node.y], moved: false };
      this.svg.setPointerCapture(event.pointerId);
      el.focus({ preventScroll: true });
      event.preventDefault();
    }

    pull(event) {
      const { drag } = this;
      if (!drag) return;
      const scale = this.svg.viewBox.baseVal.width / this.svg.clientWidth;
      const dx = (event.clientX - drag.x) * scale;
      const dy = (event.clientY - drag.y) * scale;
      if (!drag.node) {
        [drag.x, drag.y] = [event.clientX, event.clientY];
        this.pan(-dx, -dy);
        return;
      }
      if (!drag.moved && Math.hypot(dx, dy) < 3) return;
      if (!drag.moved) {
        drag.moved = true;
        this.past.push(JSON.stringify(this.state));
        this.future = [];
      }
      const place = [round(drag.from[0] + dx), round(drag.from[1] + dy)];
      this.state.moved[this.mode + drag.node.id] = place;
      this.place();
      this.route();
    }

    drop() {
      const { drag } = this;
      this.drag = null;
      if (drag?.moved) this.show();
    }

    nudge(dx, dy) {
      const node = this.byId.get(this.current);
      if (node) {
        this.change((s) => (s.moved[this.mode + node.id] = [node.x + dx, node.y + dy]));
      }
    }
  }

  // ---- geometry
  function exit(box, px, py) {
    const mx = box.x + box.width / 2;
    const my = box.y + box.height / 2;
    const dx = px - mx;
    const dy = py - my;
    if (!dx && !dy) return [mx, box.y + box.height];
    const part = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity,
      dy ? box.height / 2 / Math.abs(dy) : Infinity);
    return [mx + dx * part, my + dy * part];
  }

  function bent(from, to, bend) {
    const fx = from.x + from.width / 2;
    const fy = from.y + from.height / 2;
    const tx = to.x + to.width / 2;
    const ty = to.y + to.height / 2;
    const length = Math.max(1, Math.hypot(tx - fx, ty - fy));
    const cx = (fx + tx) / 2 + (2 * bend * (ty - fy)) / length;
    const cy = (fy + ty) / 2 - (2 * bend * (tx - fx)) / length;
    const [sx, sy] = exit(from, cx, cy);
    const [ex, ey] = exit(to, cx, cy);
    return { sx, sy, cx, cy, ex, ey };
  }

  function loop(box, bend) {
    const side = bend < 0 ? box.x : box.x + box.width;
    const y = box.y + box.height / 2;
    const out = side + (bend < 0 ? -1 : 1) * (60 + Math.abs(bend));
    return { sx: side, sy: y - 12, cx: out, cy: y, ex: side, ey: y + 12 };
  }

  function at({ sx, sy, cx, cy, ex, ey }, t) {
    const a = (1 - t) * (1 - t);
    const b = 2 * t * (1 - t);
    return [a * sx + b * cx + t * t * ex, a * sy + b * cy + t * t * ey];
  }

  const labelBox = (way, width) => ({ x: way.lx - width / 2, y: way.ly - 10, width, height: 20 });
  const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width
    && a.y < b.y + b.height && b.y < a.y + a.height;
  const inside = (b, [x, y], margin) => x > b.x - margin && x < b.x + b.width + margin
    && y > b.y - margin && y < b.y + b.height + margin;

  function lineCost(way, link, boxes, labels) {
    let cost = 0;
    for (let i = 1; i < SAMPLES; i++) {
      const point = at(way, i / SAMPLES);
      for (const box of boxes) {
        if (box !== link.from && box !== link.to && inside(box, point, 6)) cost += 14;
      }
      for (const label of labels) if (inside(label, point, 2)) cost += 40;
    }
    return cost;
  }

  function labelCost(label, boxes, labels, mode) {
    let cost = 0;
    for (const box of boxes) if (overlap(box, label)) cost += 150;
    for (const other of labels) if (overlap(other, label)) cost += 180;
    if (mode === "narrow") cost += Math.max(0, -label.x, label.x + label.width - 352) * 2;
    return cost;
  }

  // ---- copying and downloading
  const TYPES = {
    markdown: ["md", "text/markdown"], dot: ["dot", "text/vnd.graphviz"],
    tikz: ["tex", "application/x-tex"], json: ["json", "application/json"],
    svg: ["svg", "image/svg+xml"], png: ["png", "image/png"],
  };
  const PAINT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family",
    "font-size", "font-weight", "text-decoration-line"];

  /** The graph as it is shown, with its colours as attributes: it needs no style sheet. */
  function drawing(item) {
    item.at = null;
    item.light({});
    const { svg } = item;
    const copy = svg.cloneNode(true);
    const from = [svg, ...all("*", svg)];
    const to = [copy, ...all("*", copy)];
    const gone = [];
    from.forEach((element, i) => {
      const style = getComputedStyle(element);
      if (style.display === "none" || element.classList.contains("hit")) gone.push(to[i]);
      for (const name of PAINT) to[i].setAttribute(name, style.getPropertyValue(name));
      for (const { name } of [...to[i].attributes]) {
        if (/^(data-|aria-|role|tabindex|class|style)/.test(name)) to[i].removeAttribute(name);
      }
    });
    gone.forEach((element) => element.remove());
    const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const { x, y, width, height } = svg.viewBox.baseVal;
    for (const [name, value] of Object.entries({ x, y, width, height })) {
      paper.setAttribute(name, value);
    }
    paper.setAttribute("fill", getComputedStyle(item.element.querySelector(".picture"))
      .backgroundColor);
    copy.prepend(paper);
    return new XMLSerializer().serializeToString(copy);
  }

  function raster(item) {
    const { width, height } = item.svg.viewBox.baseVal;
    const scale = 2;
    return new Promise((resolve, reject) => {
      const image = new Image();
      image.onload = () => {
        const canvas = document.createElement("canvas");
        canvas.width = width * scale;
        canvas.height = height * scale;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("too large"))), "image/png");
      };
      image.onerror = () => reject(new Error("the picture could not be drawn"));
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(drawing(item));
    });
  }

  async function content(item, kind) {
    if (kind === "png") return raster(item);
    const text = kind === "svg" ? drawing(item)
      : item.element.querySelector(`.export[data-kind="${kind}"]`).textContent;
    return new Blob([text], { type: TYPES[kind][1] });
  }

  async function copyText(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  async function takeAway(item, button) {
    const kind = button.dataset.export || button.dataset.download;
    try {
      const blob = await content(item, kind);
      if (button.dataset.download) {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = `${item.element.dataset.name}.${TYPES[kind][0]}`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        say("downloaded " + link.download);
      } else if (kind === "png") {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
        say("copied the picture");
      } else {
        await copyText(await blob.text());
        say("copied " + button.textContent);
      }
    } catch (error) {
      say("that did not work: " + error.message);
    }
  }

  // ---- which witness is on show
  const cases = all(".case").map((element) => new Case(element));
  let chosen = null;

  function choose(item, move) {
    const article = item.element.closest(".result");
    for (const other of cases) {
      if (other.element.closest(".result") === article) {
        other.element.classList.toggle("chosen", other === item);
      }
    }
    for (const link of all("[data-case]", article)) {
      const on = link.dataset.case === item.element.id;
      if (on) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const entry of all(".picker li", article)) {
      entry.classList.toggle("chosen", !!entry.querySelector("[aria-current]"));
    }
    chosen = item;
    item.show();
    if (move) history.replaceState(null, "", "#" + item.element.id);
  }

  function step(by) {
    const visible = cases.filter((item) => item.element.classList.contains("chosen"));
    const at = cases.indexOf(chosen || visible[0]);
    const next = cases[at + by];
    if (next) {
      choose(next, true);
      next.element.scrollIntoView({ block: "nearest" });
      say(next.element.querySelector("h3").textContent);
    }
  }

  for (const article of all(".result")) {
    const first = cases.find((item) => article.contains(item.element));
    if (first) choose(first, false);
  }
  chosen = cases[0] || null;
  // A case by its id, or the first of an anomaly by the name of that.
  const linked = cases.find(({ element }) => "#" + element.id === location.hash)
    || cases.find(({ element }) => words(element, "names").includes(location.hash.slice(1)));
  if (linked) choose(linked, false);

  document.addEventListener("click", (event) => {
    const pick = event.target.closest("[data-case]");
    const copy = event.target.closest("[data-copy]");
    const action = event.target.closest(".top [data-action]")?.dataset.action;
    if (pick) {
      event.preventDefault();
      choose(cases.find((item) => item.element.id === pick.dataset.case), true);
    } else if (copy) {
      copyText(copy.dataset.copy).then(() => say("copied"));
    } else if (action === "theme") {
      theme();
    } else if (action === "keys") {
      document.getElementById("keys").showModal();
    }
  });
  document.addEventListener("focusin", (event) => {
    const own = cases.find((item) => item.element.contains(event.target));
    if (own) chosen = own;
  });
  document.addEventListener("pointerdown", (event) => {
    const own = cases.find((item) => item.element.contains(event.target));
    if (own) chosen = own;
  });
  let resizing;
  addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(() => cases.forEach((item) => {
      if (item.element.classList.contains("chosen")) item.show();
    }), 80);
  });

  // ---- keys
  const KEYS = {
    e: "expand", c: "collapse", m: "mark", h: "hide", s: "show", u: "undo", r: "redo",
    b: "neighbours", "+": "closer", "-": "farther", 0: "fit", ".": "forth", ",": "back",
  };
  const ARROWS = {
    ArrowLeft: [-12, 0], ArrowRight: [12, 0], ArrowUp: [0, -12], ArrowDown: [0, 12],
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (target.closest("input, textarea, select, dialog")) return;
    const back = (event.ctrlKey || event.metaKey) && key.toLowerCase() === "z";
    const forth = (event.ctrlKey || event.metaKey) && key.toLowerCase() === "y";
    if (chosen && (back || forth)) {
      event.preventDefault();
      chosen.act(forth || event.shiftKey ? "redo" : "undo");
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const link = target.closest("[data-link]");
    const fold = target.closest("[data-fold]");
    const li = target.matches("[data-step]") ? target : null;
    if (chosen && (key === "Enter" || key === " ") && (link || li || fold)) {
      event.preventDefault();
      if (fold) chosen.toggle("unfolded", fold.dataset.fold);
      else if (link) chosen.toggleLink(chosen.links.find((l) => l.el === link));
      else if (chosen.isExpandable(li.dataset.step)) chosen.toggle("open", li.dataset.step);
    } else if (chosen && ARROWS[key] && target.closest("[data-node]")) {
      event.preventDefault();
      chosen.nudge(...ARROWS[key]);
    } else if (chosen && KEYS[key]) {
      chosen.act(KEYS[key]);
    } else if (key === "n" || key === "p") {
      step(key === "n" ? 1 : -1);
    } else if (key === "t") {
      theme();
    } else if (key === "?") {
      document.getElementById("keys").showModal();
    }
  });

  // ---- the lattice: what a level implies
  for (const level of all("[data-level]")) {
    const svg = level.closest("svg");
    const mark = (on) => {
      const reach = (id, end, other, seen) => {
        for (const arrow of all(`[data-${end}="${id}"]`, svg)) {
          arrow.classList.toggle("lit", on);
          const next = arrow.dataset[other];
          if (!seen.has(next)) {
            seen.add(next);
            reach(next, end, other, seen);
          }
        }
      };
      reach(level.dataset.level, "from", "to", new Set());
    };
    level.addEventListener("pointerenter", () => mark(true));
    level.addEventListener("pointerleave", () => mark(false));
  }
})();
