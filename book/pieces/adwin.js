/* ADWIN: a window in buckets that is cut where its two parts differ by more than a bound. */
"use strict";
(() => {
  const {el, text, svg, scale, axis, number, line} = oza;
  const MOST = 5, SHORTEST = 7, OFF = 4;

  /** A window: rows of buckets [sum, sum of squares]; a bucket of row r stands for 2 ** r values. */
  const open = () => ({rows: [[]], width: 0, total: 0, seen: 0});
  const insert = (w, value) => {
    w.width++;
    w.total += value;
    let bucket = [value, value * value];
    for (let r = 0; ; r++) {
      const row = w.rows[r] ??= [];
      row.push(bucket);
      if (row.length <= MOST) return;
      const [a, b] = row.splice(0, 2);
      bucket = [a[0] + b[0], a[1] + b[1]];
    }
  };
  /** All cuts between buckets, from the oldest on: values before, difference of the means, and its bound. */
  const cuts = (w, delta) => {
    const n = w.width, found = [];
    let total = 0, square = 0;
    for (let r = w.rows.length - 1; r >= 0; r--) {
      for (const bucket of w.rows[r]) { total += bucket[0]; square += bucket[1]; }
    }
    w.total = total;
    if (n < 2 * SHORTEST) return found;
    const doubt = Math.log(2 * Math.log(n) / delta), variance = Math.max((square - total * total / n) / n, 0);
    let before = 0, sum = 0;
    for (let r = w.rows.length - 1; r >= 0; r--) {
      for (const bucket of w.rows[r]) {
        before += 2 ** r;
        sum += bucket[0];
        const after = n - before;
        if (before < SHORTEST || after < SHORTEST) continue;
        const share = 1 / (before - OFF) + 1 / (after - OFF);
        const bound = Math.sqrt(2 * share * variance * doubt) + 2 / 3 * doubt * share;
        found.push({before, gap: Math.abs(sum / before - (total - sum) / after), bound});
      }
    }
    return found;
  };
  /** Add a value; after every 32 drop oldest buckets as long as a cut shows a change.  Whether it was cut. */
  const observe = (w, value, delta) => {
    insert(w, value);
    if (++w.seen % 32) return false;
    let isCut = false;
    while (cuts(w, delta).some(c => c.gap > c.bound)) {
      const last = w.rows.length - 1;
      w.width -= 2 ** last;
      w.rows[last].shift();
      if (!w.rows[last].length) w.rows.pop();
      isCut = true;
    }
    return isCut;
  };

  /** Width and mean after each check, and where alarms were raised. */
  const follow = (values, delta) => {
    const w = open(), course = {widths: [], means: [], alarms: []};
    values.forEach((value, n) => {
      if (observe(w, value, delta)) course.alarms.push(n + 1);
      if ((n + 1) % 32 === 0) { course.widths.push(w.width); course.means.push(w.total / w.width); }
    });
    return course;
  };

  const rates = (state, data) => Array.from({length: data.length}, (_, n) => n < data.change ? data.rate
    : state.kind === "jump" ? data.rate + state.size
    : data.rate + state.size * Math.min(1, (n - data.change) / (data.length - data.change)));
  const errors = (state, data, stream) => {
    const rate = rates(state, data);
    return data.numbers[stream].map((number, n) => +(number < 10000 * rate[n]));
  };
  const memory = {};
  const courses = (state, data) => {
    const key = `${state.delta} ${state.kind} ${state.size}`;
    if (memory.key !== key) {
      memory.key = key;
      memory.courses = data.numbers.map((_, s) => follow(errors(state, data, s), state.delta));
    }
    return memory.courses;
  };
  const delay = (course, data) => (course.alarms.find(n => n > data.change) ?? Infinity) - data.change;

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, course = courses(state, data)[state.stream], rate = rates(state, data);
    const at = scale([0, data.length], [36, width - 22]), up = scale([0, 0.8], [150, 24]), high = scale([0, data.length], [272, 196]);
    let drawn = text(0, 14, narrow ? "rate (dashed), mean of window, alarms" : "rate of errors (dashed), mean of the window, and alarms (upright lines, dashed if false)", {class: "strong"});
    for (const y of [0, 0.4, 0.8]) drawn += text(28, up(y) + 4, number(y), {"text-anchor": "end"}) + el("line", {x1: 36, x2: width - 22, y1: up(y), y2: up(y), class: y ? "guide" : "axis"});
    drawn += line(rate.filter((_, n) => n % 8 === 0).map((r, i) => [at(8 * i), up(r)]), {class: "single", "stroke-dasharray": "5 4"});
    drawn += line(course.means.map((m, i) => [at(32 * (i + 1)), up(m)]), {class: "stream"});
    for (const n of course.alarms) drawn += el("line", {x1: at(n), x2: at(n), y1: 24, y2: 150, class: n > data.change ? "found" : "false"});
    drawn += text(0, 184, "number of values in the window", {class: "strong"});
    drawn += line(course.widths.map((v, i) => [at(32 * (i + 1)), high(v)]), {class: "stream"});
    drawn += axis(at, narrow ? [0, 1200, 2400] : [0, 400, 800, 1200, 1600, 2000, 2400], 272);
    // the window at the chosen moment
    const w = open();
    errors(state, data, state.stream).slice(0, state.n).forEach(value => observe(w, value, state.delta));
    drawn += el("line", {x1: at(state.n), x2: at(state.n), y1: 24, y2: 272, class: "guide"});
    drawn += text(0, 318, `buckets after ${number(state.n)} values`, {class: "strong"});
    let start = state.n - w.width, shade = 0;
    for (let r = w.rows.length - 1; r >= 0; r--) {
      for (const [sum] of w.rows[r]) {
        const size = 2 ** r;
        drawn += el("rect", {x: at(start), y: 356 - 28 * sum / size, width: Math.max(at(start + size) - at(start) - 0.6, 0.5), height: 28 * sum / size, class: "stream"});
        drawn += el("rect", {x: at(start), y: 358, width: Math.max(at(start + size) - at(start) - 0.6, 0.5), height: 5, class: shade++ % 2 ? "single" : "ink"});
        start += size;
      }
    }
    const nearest = nearestCut(w, state.delta);
    if (nearest) {
      const x = at(state.n - w.width + nearest.before);
      drawn += el("line", {x1: x, x2: x, y1: 324, y2: 368, class: "found"});
      drawn += text(0, 388, `nearest to a cut: means differ by ${number(nearest.gap, 3)}`) + text(0, 406, `bound for this cut: ${number(nearest.bound, 3)}`);
    }
    return svg(width, 414, "Rate of errors and mean of the window, its length, and its buckets at the chosen moment", drawn);
  };
  const nearestCut = (w, delta) => cuts(w, delta).reduce((best, c) => !best || c.gap / c.bound > best.gap / best.bound ? c : best, null);

  oza.piece("adwin", {
    pure: {follow},
    state: {delta: 0.002, kind: "jump", size: 0.3, n: 1280, stream: 0},
    controls: data => [
      {kind: "range", name: "delta", label: "Sensitivity δ", values: [0.0001, 0.0005, 0.002, 0.01, 0.05, 0.1, 0.3, 0.9]},
      {kind: "range", name: "size", label: "Rise of the error rate", values: [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5], show: x => number(x, 2)},
      {kind: "range", name: "n", label: "Show the window after value", min: 32, max: data.length, step: 32},
      {kind: "select", name: "kind", label: "Change", options: [["jump", "jump"], ["ramp", "ramp"]]},
      {kind: "button", label: "Another stream", press: state => { state.stream = (state.stream + 1) % data.numbers.length; }},
    ],
    draw,
    say: (state, data) => {
      const all = courses(state, data), delays = all.map(c => delay(c, data)).sort((a, b) => a - b);
      const mine = delay(all[state.stream], data), middle = delays[Math.floor((delays.length - 1) / 2)];
      const early = all.reduce((sum, c) => sum + c.alarms.filter(n => n <= data.change).length, 0);
      const told = d => d === Infinity ? "not noticed" : `noticed after ${number(d)} values`;
      return `With δ = ${number(state.delta)}, ${state.size ? `the ${state.kind} by ${number(state.size, 2)} at value ${number(data.change)}` : "nothing changes, and a later alarm"} is ` +
        `${told(mine)} on stream ${state.stream + 1}, in the median of ${all.length} streams ${told(middle)}; before value ${number(data.change)} there are ` +
        `${early} false alarms on all ${all.length} together.`;
    },
  });
})();
