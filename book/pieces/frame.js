/* What all pieces to play with share: pictures as SVG text, native controls, keyboard, one sentence.

A piece is a script that calls `oza.piece(name, {...})` with
    pure       functions without side effects, which tests call as oza.pieces[name].pure.f(...)
    state      what the reader can change, as it is at first
    controls   (data) => list of controls, see `control`
    draw       (state, data, narrow) => text of an <svg>
    say        (state, data) => one sentence about the state, which is announced
    drag       optional, (state, key, x, y, data): the element with data-key was dragged to a point of the picture
    nudge      optional, (state, key, dx, dy, data): the same by an arrow key, of which dx and dy are the direction
Its data are in a script that calls `oza.data(name, value)` before, or, if the build could not make them,
`oza.failed(name, message)`: then the stored picture stays, with the message in place of the controls. */
"use strict";
window.oza = (() => {
  const pieces = {}, values = {}, failures = new Set();

  // ---- pictures

  const escaped = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
  const place = x => typeof x === "number" ? +x.toFixed(2) : escaped(x);

  /** An element as text. */
  const el = (name, attributes = {}, content = "") => {
    const written = Object.entries(attributes)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([key, value]) => ` ${key}="${place(value)}"`);
    return `<${name}${written.join("")}>${content}</${name}>`;
  };
  const text = (x, y, content, attributes = {}) => el("text", {x, y, ...attributes}, escaped(content));
  const svg = (width, height, label, content) =>
    el("svg", {viewBox: `0 0 ${place(width)} ${place(height)}`, width, height, role: "group", "aria-label": label}, content);

  /** A function from numbers of `domain` to places of `range`; "log" for a logarithmic one. */
  const scale = ([a, b], [from, to], kind) => {
    const f = kind === "log" ? Math.log : x => x;
    return x => from + (to - from) * (f(x) - f(a)) / (f(b) - f(a));
  };

  /** A horizontal axis at height y, with a text below each of its ticks. */
  const axis = (at, ticks, y, show = number) =>
    el("line", {x1: at(ticks[0]), x2: at(ticks[ticks.length - 1]), y1: y, y2: y, class: "axis"}) +
    ticks.map(t => el("line", {x1: at(t), x2: at(t), y1: y, y2: y + 4, class: "axis"}) +
      text(at(t), y + 18, show(t), {"text-anchor": "middle"})).join("");

  /** The line through points [x, y]. */
  const line = (points, attributes) =>
    el("polyline", {points: points.map(p => p.map(place).join(",")).join(" "), fill: "none", ...attributes});

  /** A number for readers: a minus sign, unless it is rounded to zero, and thousands apart. */
  const number = (x, digits) => {
    const [whole, part] = (digits === undefined ? String(x) : x.toFixed(digits)).replace(/^-(?=[0.]*$)/, "").replace("-", "−").split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? "." + part : "");
  };

  /** The bits of a text of hexadecimal digits, as many as are asked for. */
  const bits = (hex, length) => [...hex].flatMap(c => [8, 4, 2, 1].map(bit => parseInt(c, 16) & bit ? 1 : 0)).slice(0, length);

  // ---- controls

  const made = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  /** A control: {kind, name, label, ...}, and for kind
      "range"    min, max, step, or a list `values`; show(value, state) is written beside it
      "select"   options, a list of [value, text]
      "check"    nothing more
      "button"   press(state), and optional(state): whether it can be pressed
      "play"     press(state), again and again as long as it gives true; at once if motion is not wanted */
  const control = (c, state, changed) => {
    let input, update = () => {};
    const set = value => { state[c.name] = value; changed(); };
    if (c.kind === "range") {
      const out = made("output"), show = c.show ?? (value => number(value));
      input = made("input", {type: "range", min: c.values ? 0 : c.min, max: c.values ? c.values.length - 1 : c.max,
        step: c.values ? 1 : c.step ?? 1});
      input.oninput = () => set(c.values ? c.values[+input.value] : +input.value);
      update = () => {
        input.value = c.values ? c.values.indexOf(state[c.name]) : state[c.name];
        out.value = show(state[c.name], state);
        input.setAttribute("aria-valuetext", out.value);
      };
      return [made("label", {className: "range"}, made("span", {}, c.label), input, out), update];
    }
    if (c.kind === "select") {
      input = made("select", {onchange: () => set(c.options[input.selectedIndex][0])},
        ...c.options.map(([, shown]) => made("option", {}, shown)));
      update = () => { input.selectedIndex = c.options.findIndex(([value]) => value === state[c.name]); };
      return [made("label", {}, made("span", {}, c.label), input), update];
    }
    if (c.kind === "check") {
      input = made("input", {type: "checkbox", onchange: () => set(input.checked)});
      update = () => { input.checked = state[c.name]; };
      return [made("label", {className: "check"}, input, made("span", {}, c.label)), update];
    }
    let timer = 0;
    const stop = () => { clearInterval(timer); timer = 0; input.textContent = c.label; };
    input = made("button", {type: "button", textContent: c.label});
    if (c.kind === "play") {
      const step = () => { const more = c.press(state); changed(); if (!more) stop(); return more; };
      input.onclick = () => {
        if (timer) return stop();
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) { while (c.press(state)); return changed(); }
        timer = setInterval(step, c.every ?? 700);
        input.textContent = "Pause";
        step();
      };
    } else {
      input.onclick = () => { c.press(state); changed(); };
    }
    update = () => {  // a button that is disabled while it has the focus would lose it
      const off = Boolean(c.optional && !c.optional(state));
      input.setAttribute("aria-disabled", off);
    };
    const press = input.onclick;
    input.onclick = () => { if (input.getAttribute("aria-disabled") !== "true") press(); };
    return [input, update, stop];
  };

  // ---- a piece on its page

  const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

  const start = (figure, piece, data) => {
    const [picture, controls, said] = ["picture", "controls", "said"].map(part => figure.querySelector(`.piece-${part}`));
    const state = structuredClone(piece.state);
    const made = piece.controls(data).map(c => control(c, state, () => show()));
    const show = () => {
      const key = picture.contains(document.activeElement) && document.activeElement.dataset.key;
      picture.innerHTML = piece.draw(state, data, figure.clientWidth < 600);
      if (key) picture.querySelector(`[data-key="${key}"]`)?.focus();
      made.forEach(([, update]) => update());
      const sentence = piece.say(state, data).replaceAll(" %", "\u00a0%");
      if (said.textContent !== sentence) said.textContent = sentence;
    };
    controls.replaceChildren(...made.map(([element]) => element));
    for (const use of ["click", "input"]) {  // whoever uses another control does not want it to play on
      controls.addEventListener(use, event => made.forEach(([element, , stop]) => { if (element !== event.target) stop?.(); }), true);
    }
    figure.classList.add("running");
    let narrow = figure.clientWidth < 600;
    new ResizeObserver(() => {
      if (narrow !== (narrow = figure.clientWidth < 600)) show();
    }).observe(figure);
    if (piece.nudge) picture.addEventListener("keydown", event => {
      const key = event.target.dataset.key, way = ARROWS[event.key];
      if (!key || !way) return;
      event.preventDefault();
      piece.nudge(state, key, ...way, data);
      show();
    });
    if (piece.drag) {
      let key = null;
      picture.addEventListener("pointerdown", event => {
        key = event.target.dataset.key ?? null;
        if (key === null) return;
        picture.setPointerCapture(event.pointerId);
        event.target.focus();
        event.preventDefault();
      });
      picture.addEventListener("pointermove", event => {
        if (key === null) return;
        const drawn = picture.querySelector("svg"), box = drawn.getBoundingClientRect();
        const by = drawn.viewBox.baseVal.width / box.width;
        piece.drag(state, key, (event.clientX - box.left) * by, (event.clientY - box.top) * by, data);
        show();
      });
      for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, () => { key = null; });
    }
    show();
  };

  return {
    pieces, escaped, el, text, svg, scale, axis, line, number, bits,
    data(name, value) { values[name] = value; },
    failed(name, message) {
      failures.add(name);
      for (const controls of document.querySelectorAll(`[data-piece="${name}"] .piece-controls`)) {
        controls.replaceWith(made("div", {className: "admonition warning"}, made("p", {textContent: message})));
      }
    },
    piece(name, piece) {
      if (failures.has(name)) return;
      pieces[name] = piece;
      piece.data = values[name];
      document.querySelectorAll(`[data-piece="${name}"]`).forEach(figure => start(figure, piece, values[name]));
    },
  };
})();
