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
    const left = 46, at = scale([0, data.length], [left, width - 22]), up = scale([0, 0.8], [168, 42]), high = scale([0, data.length], [308, 218]);
    let drawn = text(0, 14, narrow ? "rate of errors (dashed), window’s mean" : "rate of errors (dashed), and its mean over the window", {class: "strong"});
    drawn += el("line", {x1: 1, x2: 1, y1: 22, y2: 36, class: "found"}) + text(8, 34, "alarm after the change");
    drawn += el("line", {x1: 180, x2: 180, y1: 22, y2: 36, class: "false"}) + text(187, 34, narrow ? "✗ false alarm" : "✗ false alarm: nothing has changed");
    for (const y of [0, 0.4, 0.8]) drawn += text(left - 8, up(y) + 4, number(y), {"text-anchor": "end"}) + el("line", {x1: left, x2: width - 22, y1: up(y), y2: up(y), class: y ? "guide" : "axis"});
    drawn += line(rate.filter((_, n) => n % 8 === 0).map((r, i) => [at(8 * i), up(r)]), {class: "single", "stroke-dasharray": "5 4"});
    drawn += line(course.means.map((m, i) => [at(32 * (i + 1)), up(m)]), {class: "stream"});
    for (const n of course.alarms) {
      const isFalse = !state.size || n <= data.change;
      drawn += el("line", {x1: at(n), x2: at(n), y1: isFalse ? 56 : 42, y2: 168, class: isFalse ? "false" : "found"});
      if (isFalse) drawn += text(at(n), 53, "✗", {"text-anchor": "middle", class: "bad"});
    }
    drawn += text(0, 202, "length of the window, in values", {class: "strong"});
    for (const v of [0, 1200, 2400]) drawn += text(left - 8, high(v) + 4, number(v), {"text-anchor": "end"}) + el("line", {x1: left, x2: width - 22, y1: high(v), y2: high(v), class: v ? "guide" : "axis"});
    drawn += line(course.widths.map((v, i) => [at(32 * (i + 1)), high(v)]), {class: "stream"});
    drawn += axis(at, narrow ? [0, 1200, 2400] : [0, 400, 800, 1200, 1600, 2000, 2400], 308);
    // the window at the chosen moment, over the whole width of the picture
    const w = open();
    errors(state, data, state.stream).slice(0, state.n).forEach(value => observe(w, value, state.delta));
    drawn += el("line", {x1: at(state.n), x2: at(state.n), y1: 42, y2: 308, class: "guide"});
    drawn += text(0, 352, narrow ? `${number(w.width)} values in the window, in buckets` : `the window’s ${number(w.width)} values in buckets, oldest first; height: share of errors`, {class: "strong"});
    const place = scale([0, w.width], [0, width]);
    let start = 0, shade = 0;
    for (let r = w.rows.length - 1; r >= 0; r--) {
      for (const [sum] of w.rows[r]) {
        const size = 2 ** r, box = {x: place(start), width: Math.max(place(start + size) - place(start) - 1, 0.5)};
        drawn += el("rect", {...box, y: 366, height: 56, class: "band"}) + el("rect", {...box, y: 422 - 56 * sum / size, height: 56 * sum / size, class: "stream"});
        drawn += el("rect", {...box, y: 425, height: 6, class: shade++ % 2 ? "single" : "ink"});
        start += size;
      }
    }
    const nearest = nearestCut(w, state.delta);
    if (nearest) {
      const x = place(nearest.before);
      drawn += el("line", {x1: x, x2: x, y1: 360, y2: 436, class: "sign"});
      drawn += text(0, 456, `${narrow ? "at the line" : "at the cut nearest to an alarm (upright line)"} the means differ by ${number(nearest.gap, 3)},`) +
        text(0, 474, `and an alarm needs more than ${number(nearest.bound, 3)}`);
    }
    return svg(width, 482, "Rate of errors and mean of the window, its length, and its buckets at the chosen moment", drawn);
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
      const end = state.size ? data.change : data.length, wrong = c => c.alarms.filter(n => n <= end).length;
      const alarms = `false alarms: ${all.reduce((sum, c) => sum + wrong(c), 0)} on all ${all.length} streams, ${wrong(all[state.stream])} of them on this one`;
      const told = d => d === Infinity ? "not at all" : `after ${number(d)} values`;
      return state.size ? `With δ = ${number(state.delta)}, the ${state.kind} by ${number(state.size, 2)} at value ${number(data.change)} is noticed ${told(mine)} on stream ${state.stream + 1}, ` +
        `and ${told(middle)} in the median of ${all.length} streams. Before it, ${alarms}.`
        : `With δ = ${number(state.delta)} and no change, ${alarms}.`;
    },
  });
})();
