/* AdaBoost on ten points in the plane, in exact fractions, over all half-planes with a level or upright border. */
"use strict";
(() => {
  const {el, text, svg, scale, number} = oza;

  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };
  const fraction = (n, d) => { const g = gcd(n, d); return [n / g, d / g]; };
  const add = ([a, b], [c, d]) => fraction(a * d + c * b, b * d);
  const less = ([a, b], [c, d]) => a * d < c * b;
  const written = ([n, d]) => d === 1n ? `${n}` : `${n}/${d}`;
  const value = ([n, d]) => Number(n) / Number(d);

  /** Every half-plane [axis, threshold, sign]: it says `sign` where the coordinate is above the threshold. */
  const halfPlanes = points => [0, 1].flatMap(axis => {
    const at = [...new Set(points.map(p => p[axis]))].sort((a, b) => a - b);
    return at.slice(1).flatMap((x, i) => [1, -1].map(sign => [axis, (x + at[i]) / 2, sign]));
  });
  const says = ([axis, threshold, sign], point) => point[axis] > threshold ? sign : -sign;
  const alpha = error => Math.log((1 - error) / error) / 2;

  /** AdaBoost: of equally good half-planes the first; it stops before an error of 1/2 and after one of 0. */
  const run = (points, classes, rounds) => {
    const planes = halfPlanes(points), wrong = planes.map(h => points.map((p, i) => says(h, p) !== classes[i]));
    let weights = points.map(() => [1n, BigInt(points.length)]);
    const found = {borders: [], errors: [], alphas: [], weights: [weights]};
    while (found.errors.length < rounds) {
      const errors = wrong.map(w => weights.reduce((sum, x, i) => w[i] ? add(sum, x) : sum, [0n, 1n]));
      const best = errors.reduce((b, error, i) => less(error, errors[b]) ? i : b, 0), [n, d] = errors[best];
      if (2n * n >= d) break;
      found.borders.push(planes[best]);
      found.errors.push([n, d]);
      found.alphas.push(alpha(n ? value([n, d]) : 1 / (2 * points.length)));
      if (n === 0n) break;
      weights = weights.map(([a, b], i) => wrong[best][i] ? fraction(a * d, 2n * b * n) : fraction(a * d, 2n * b * (d - n)));
      found.weights.push(weights);
    }
    return found;
  };
  const vote = (found, point, rounds) => found.borders.slice(0, rounds)
    .reduce((sum, h, t) => sum + found.alphas[t] * says(h, point), 0);
  /** How many points the vote of the first t rounds gets wrong, for each t. */
  const wrongs = (found, points, classes) => found.borders.map((_, t) =>
    points.filter((p, i) => Math.sign(vote(found, p, t + 1)) !== classes[i]).length);

  /** The same with fractions as text, for tests. */
  const compute = (points, classes, rounds) => {
    const found = run(points, classes, rounds);
    return {...found, errors: found.errors.map(written), weights: found.weights.map(row => row.map(written)),
      wrong: wrongs(found, points, classes)};
  };

  const ROUNDS = 6, SIDE = 308, LEFT = 22, END = SIDE - 4, BOTTOM = END - LEFT + 4;
  const at = scale([0, 11], [LEFT, END]), up = scale([0, 11], [BOTTOM, 4]);
  const points = (state, data) => state.points ?? data.points;
  const here = (state, data) => {
    const found = run(points(state, data), data.classes, ROUNDS);
    return [found, Math.min(state.round, found.borders.length)];
  };
  const move = (state, data, key, to) => {
    const limited = to.map(x => Math.min(10.5, Math.max(0.5, Math.round(2 * x) / 2)));
    state.points = points(state, data).map((p, i) => i === +key ? limited : p);
  };
  const side = ([axis, threshold, sign]) =>
    `${sign > 0 ? "+" : "−"} ${axis ? "above" : "right of"} ${number(threshold)}`;

  const draw = (state, data, narrow) => {
    const [found, round] = here(state, data), width = narrow ? 312 : 654, now = points(state, data);
    let drawn = "";
    const ground = (x, y, x2, y2, sign) => {
      drawn += el("rect", {x: at(x), y: up(y2), width: at(x2) - at(x), height: up(y) - up(y2), class: sign > 0 ? "plus-ground" : "minus-ground"});
    };
    if (state.shows === "vote") {
      const cuts = [0, 1].map(axis => [0, ...found.borders.slice(0, round).filter(h => h[0] === axis).map(h => h[1]).sort((a, b) => a - b), 11]);
      cuts[0].slice(1).forEach((x2, i) => cuts[1].slice(1).forEach((y2, j) =>
        ground(cuts[0][i], cuts[1][j], x2, y2, vote(found, [(cuts[0][i] + x2) / 2, (cuts[1][j] + y2) / 2], round))));
    } else if (round) {
      const [axis, threshold, sign] = found.borders[round - 1];
      if (axis) { ground(0, threshold, 11, 11, sign); ground(0, 0, 11, threshold, -sign); }
      else { ground(threshold, 0, 11, 11, sign); ground(0, 0, threshold, 11, -sign); }
    }
    drawn += el("rect", {x: LEFT, y: 4, width: END - LEFT, height: BOTTOM - 4, fill: "none", class: "axis"});
    for (const t of [0, 2, 4, 6, 8, 10]) {
      drawn += el("line", {x1: at(t), x2: at(t), y1: BOTTOM, y2: BOTTOM + 4, class: "axis"}) + text(at(t), BOTTOM + 17, t, {"text-anchor": "middle"});
      drawn += el("line", {x1: LEFT - 4, x2: LEFT, y1: up(t), y2: up(t), class: "axis"}) + text(LEFT - 5, up(t) + 4, t, {"text-anchor": "end"});
    }
    if (round && state.shows === "plane") {
      const [axis, threshold] = found.borders[round - 1], ends = axis ? {x1: LEFT, x2: END, y1: up(threshold), y2: up(threshold)} : {x1: at(threshold), x2: at(threshold), y1: 4, y2: BOTTOM};
      drawn += el("line", {...ends, class: "found"}) + (axis ? text(END - 4, up(threshold) - 5, number(threshold), {"text-anchor": "end", class: "strong"}) : text(at(threshold) + 5, BOTTOM - 6, number(threshold), {class: "strong"}));
    }
    const weights = found.weights[Math.max(0, round - 1)];
    now.forEach((p, i) => {
      const isPlus = data.classes[i] > 0, size = 40 * Math.sqrt(value(weights[i])) + 4, [x, y] = [at(p[0]), up(p[1])];
      const isWrong = round && (state.shows === "vote" ? Math.sign(vote(found, p, round)) : says(found.borders[round - 1], p)) !== data.classes[i];
      if (isWrong) drawn += el("circle", {cx: x, cy: y, r: size * 0.75 + 3, class: "outline"});
      drawn += el("line", {x1: x - size / 2, x2: x + size / 2, y1: y, y2: y, class: "sign"});
      if (isPlus) drawn += el("line", {x1: x, x2: x, y1: y - size / 2, y2: y + size / 2, class: "sign"});
      drawn += el("circle", {cx: x, cy: y, r: 14, "fill-opacity": 0, "data-key": i, tabindex: 0, role: "button",
        "aria-label": `point ${i + 1}, class ${isPlus ? "plus" : "minus"}, at ${p[0]}, ${p[1]}, weight ${written(weights[i])}; arrow keys move it`});
    });
    const left = narrow ? 0 : 334, top = narrow ? SIDE + 26 : 24, wrong = wrongs(found, now, data.classes);
    const columns = narrow ? [0, 42, 158, 216, 266] : [0, 46, 164, 226, 278];
    const short = error => written(error).length > 6 ? number(value(error), 4) : written(error);
    const row = (y, cells, look) => cells.map((c, i) => text(left + columns[i], y, c, {class: look})).join("");
    drawn += row(top, ["round", "half-plane", narrow ? "ε" : "error ε", narrow ? "α" : "vote α", "wrong"], "quiet");
    found.borders.forEach((h, t) => {
      const y = top + 26 + 26 * t;
      if (t + 1 === round) drawn += el("rect", {x: left - 4, y: y - 18, width: width - left + 4, height: 25, class: "band"});
      drawn += row(y, [t + 1, side(h), short(found.errors[t]), number(found.alphas[t], 2), wrong[t]], t + 1 === round ? "strong" : "");
    });
    return svg(width, narrow ? SIDE + 40 + 26 * ROUNDS : SIDE + 2, "Ten points, the half-plane or the vote of the round, and a table of the rounds", drawn);
  };

  oza.piece("toy", {
    pure: {compute},
    state: {round: 1, shows: "plane", points: null},
    controls: data => [
      {kind: "button", label: "Back", press: state => { state.round = Math.max(1, here(state, data)[1] - 1); }, optional: state => here(state, data)[1] > 1},
      {kind: "button", label: "Next round", press: state => { state.round = here(state, data)[1] + 1; },
        optional: state => here(state, data)[1] < here(state, data)[0].borders.length},
      {kind: "select", name: "shows", label: "Shade", options: [["plane", "half-plane of the round"], ["vote", "vote so far"]]},
      {kind: "button", label: "Put points back", press: state => { state.points = null; }, optional: state => state.points !== null},
    ],
    draw,
    drag: (state, key, x, y, data) => move(state, data, key, [11 * (x - LEFT) / (END - LEFT), 11 * (BOTTOM - y) / (BOTTOM - 4)]),
    nudge: (state, key, dx, dy, data) => { const p = points(state, data)[key]; move(state, data, key, [p[0] + dx / 2, p[1] - dy / 2]); },
    say: (state, data) => {
      const [found, round] = here(state, data), wrong = wrongs(found, points(state, data), data.classes);
      if (!round) return "No half-plane is better than chance on these points.";
      const enough = wrong.indexOf(0) + 1;
      return `Round ${round}: the half-plane says ${side(found.borders[round - 1])}, the weight of the points that it gets wrong is ε = ${written(found.errors[round - 1])}, the weight of its vote α = ` +
        `${number(found.alphas[round - 1], 2)}, and the vote of ${round === 1 ? "one round" : `${round} rounds`} is wrong on ${wrong[round - 1]} of ${data.classes.length} points; ` +
        (enough ? `all points are right for the first time after round ${enough}.` : `within ${wrong.length} rounds it is never right on all.`);
    },
  });
})();
