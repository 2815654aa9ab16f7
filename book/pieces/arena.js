/* Classifiers on their way through a stream: how often they were right lately, and what they took and hold. */
"use strict";
(() => {
  const {el, text, svg, scale, number, line} = oza;
  const LOOKS = [{class: "bagging"}, {class: "boosting"}, {class: "stream", "stroke-dasharray": "7 4"}, {class: "stream", "stroke-dasharray": "2 3"},
    {class: "stream"}, {class: "outline"}, {class: "single", "stroke-dasharray": "7 4"}, {class: "single", "stroke-dasharray": "2 3"}];

  /** Share of right answers over the latest `most` examples, or fewer at the beginning, after each part of the stream. */
  const rolling = (right, part, most) => {
    const sums = right.reduce((sums, n) => [...sums, sums.at(-1) + n], [0]), parts = most / part;
    return right.map((_, i) => {
      const from = Math.max(0, i + 1 - parts);
      return (sums[i + 1] - sums[from]) / ((i + 1 - from) * part);
    });
  };
  /** How far each of several courses is below the best at the time, in percentage points. */
  const behind = courses => courses.map(course => course.map((value, i) => 100 * (value - Math.max(...courses.map(c => c[i])))));
  const ALL = 1e6;
  const kept = {};
  const courses = (state, data, most) => {
    const key = `${state.stream} ${most}`;
    return kept[key] ??= data.streams[state.stream].right.map(right => rolling(right, data.part, most));
  };
  const place = (state, data) => state.n / data.part - 1;
  const best = values => values.reduce((b, v, i) => v > values[b] ? i : b, 0);

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, stream = data.streams[state.stream], now = place(state, data), end = stream.right[0].length;
    const shown = courses(state, data, state.most), soFar = courses(state, data, ALL), total = end * data.part;
    // the axis fits the classifiers; a baseline that leaves it is not drawn
    const isGap = state.shows === "gap", rivals = shown.slice(0, stream.seconds.length), lines = isGap ? behind(rivals) : shown;
    const unit = isGap ? 5 : 0.1, fitted = (isGap ? lines : rivals).flat();
    const low = Math.floor(Math.min(...fitted) / unit) * unit, high = isGap ? 0 : Math.ceil(Math.max(...fitted) / unit) * unit;
    const x = scale([0, total], [36, width - 14]), y = scale([low, high], [232, 26]);
    let drawn = text(0, 14, isGap ? `points behind the best${narrow ? "" : " of the six over the latest examples; shaded where it drifts"}`
      : `accuracy over the latest examples${narrow ? "" : "; shaded where it drifts"}`, {class: "strong"});
    for (const [position, wide] of stream.changes) {
      drawn += el("rect", {x: x(position - wide / 2) - 1, y: 26, width: x(wide) - x(0) + 2, height: 206, class: "undecided", opacity: 0.3});
    }
    const count = Math.round((high - low) / unit), step = unit * Math.ceil(count / 6) / (count < 3 ? 2 : 1);
    for (let a = high; a > low - 1e-9; a -= step) {
      drawn += text(30, y(a) + 4, number(a, isGap ? count < 3 ? 1 : 0 : count < 3 ? 2 : 1), {"text-anchor": "end"}) + el("line", {x1: 36, x2: width - 14, y1: y(a), y2: y(a), class: "guide"});
    }
    for (const n of narrow ? [0, 10000, 20000] : [0, 5000, 10000, 15000, 20000]) drawn += text(x(n), 250, number(n), {"text-anchor": n === total ? "end" : "middle"});
    drawn += el("line", {x1: x(state.n), x2: x(state.n), y1: 20, y2: 232, class: "axis"});
    lines.forEach((values, k) => {
      const points = values.map((v, i) => [x((i + 1) * data.part), y(v)]), isOther = state.who >= 0 && state.who !== k;
      if (Math.min(...values) < low - 1e-9) return;
      drawn += line(points.slice(now), {...LOOKS[k], opacity: isOther ? 0.08 : 0.25});
      drawn += line(points.slice(0, now + 1), {...LOOKS[k], opacity: isOther ? 0.2 : 1});
    });

    const ends = narrow ? [185, 232, 272, 312] : [310, 400, 520, 640], columns = narrow ? ["latest", "all", "s", "MB"] : ["accuracy lately", "all so far", "seconds so far", "megabytes now"];
    drawn += text(0, 282, `after ${number(state.n)}`, {class: "strong"});
    columns.forEach((name, i) => { drawn += text(ends[i], 282, name, {"text-anchor": "end", class: "quiet"}); });
    const lately = shown.map(v => v[now]), long = soFar.map(v => v[now]);
    data.names.forEach((name, k) => {
      const row = 304 + 21 * k, of = [lately, long].map(values => [number(values[k], 3), values[k] === Math.max(...values)]);
      if (stream.seconds[k]) of.push([number(stream.seconds[k][now], 2), false], [number(stream.megabytes[k][now], 2), false]);
      drawn += line([[0, row - 4], [narrow ? 14 : 26, row - 4]], LOOKS[k]) + text(narrow ? 17 : 32, row, narrow ? name.replace(/^(leveraging) .*/, "$1") : name, {class: state.who === k ? "strong" : lines[k] && Math.min(...lines[k]) >= low - 1e-9 ? "" : "quiet"});
      of.forEach(([value, isBest], i) => { drawn += text(ends[i], row, value, {"text-anchor": "end", class: isBest ? "strong" : ""}); });
    });
    return svg(width, 312 + 21 * (data.names.length - 1), "Accuracy of each classifier along the stream, and its accuracy, processor seconds and megabytes at the chosen example", drawn);
  };

  oza.piece("arena", {
    pure: {rolling, behind},
    state: {stream: 1, n: 12000, most: 1000, who: -1, shows: "accuracy"},
    controls: data => {
      const end = data.part * data.streams[0].right[0].length;
      return [
        {kind: "select", name: "stream", label: "Stream", options: data.streams.map((s, i) => [i, s.title])},
        {kind: "range", name: "n", label: "Examples so far", min: data.part, max: end, step: data.part},
        {kind: "play", label: "Play", every: 250, optional: state => state.n < end,
          press: state => { state.n = Math.min(end, state.n + data.part); return state.n < end; }},
        {kind: "select", name: "most", label: "Accuracy over the latest", options: [500, 1000, 2000, 5000].map(n => [n, number(n)])},
        {kind: "select", name: "shows", label: "Show", options: [["accuracy", "accuracy"], ["gap", "points behind the best"]]},
        {kind: "select", name: "who", label: "Highlight", options: [[-1, "all"], ...data.names.map((name, i) => [i, name])]},
      ];
    },
    draw,
    say: (state, data) => {
      const now = place(state, data), {title, seconds} = data.streams[state.stream];
      const [lately, long] = [state.most, ALL].map(most => courses(state, data, most).map(values => values[now]));
      const took = seconds.map(values => values[now]), fastest = best(took.map(s => -s)), slowest = best(took), [a, b] = [best(lately), best(long)];
      return `On the stream with ${title}, after ${number(state.n)} examples: over the latest ${number(Math.min(state.most, state.n))} the most accurate is ` +
        `${data.names[a]} with ${number(lately[a], 3)}, over all so far ${data.names[b]} with ${number(long[b], 3)}. The fastest is ${data.names[fastest]}; ` +
        `${data.names[slowest]} has taken ${number(Math.round(took[slowest] / took[fastest]))} times as long.`;
    },
  });
})();
