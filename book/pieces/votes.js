/* Why ensembles work: the vote of M models with a given error and correlation, simulated and by formula. */
"use strict";
(() => {
  const {el, text, svg, scale, number, line} = oza;

  /** Probability of k of n, for k = 0..n. */
  const binomial = (n, p) => {
    if (p <= 0 || p >= 1) return Array.from({length: n + 1}, (_, k) => +(k === (p <= 0 ? 0 : n)));
    const found = [];
    let log = n * Math.log1p(-p);
    for (let k = 0; k <= n; k++) {
      found.push(Math.exp(log));
      log += Math.log((n - k) / (k + 1)) + Math.log(p / (1 - p));
    }
    return found;
  };

  /** Probability that the majority of `models` independent models errs; a tie is wrong half of the time. */
  const voteError = (error, models) => binomial(models, error)
    .reduce((sum, p, k) => sum + (2 * k > models ? p : 2 * k === models ? p / 2 : 0), 0);

  /** The same if the errors of any two have this correlation. */
  const correlated = (error, models, correlation) => {
    const shared = Math.sqrt(correlation);
    return (1 - error) * voteError((1 - shared) * error, models) + error * voteError(shared + (1 - shared) * error, models);
  };

  /** The least correlation, in hundredths, from which on three models err less than these; NaN if there is none. */
  const crossing = (error, models) => {
    const gain = r => correlated(error, 3, r / 100) - correlated(error, models, r / 100);
    return Array.from({length: 99}, (_, r) => r + 1).find(r => gain(r) < -1e-9 && gain(r - 1) >= -1e-9) / 100;
  };

  /** Which of `models` models err on each example, from uniform numbers of the library, as twentieths in base 36. */
  const simulate = (numbers, error, models, correlation) => {
    const below = (digit, share) => parseInt(digit, 36) < Math.round(20 * share);
    return [...numbers.hard].map((hard, n) => Array.from({length: models}, (_, m) =>
      below(below(numbers.shared[n][m], correlation) ? hard : numbers.own[n][m], error)));
  };

  const count = row => row.filter(Boolean).length;
  const outcome = (row, models) => Math.sign(2 * count(row) - models);  // 1: the vote errs, 0: a tie
  const named = models => models === 1 ? "one model" : `${models} models`;

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, {models, error, correlation} = state;
    const rows = simulate(data, error, models, correlation), cell = narrow ? 14.6 : 19, columns = narrow ? 20 : 34;
    let drawn = text(0, 14, narrow ? `${rows.length} examples: bar = wrong models` : `${rows.length} examples: a bar is the share of ${named(models)} that ${models === 1 ? "is" : "are"} wrong`, {class: "strong"}) +
      text(narrow ? 0 : width, narrow ? 32 : 14, "✗ the vote is wrong, = it is tied", {"text-anchor": narrow ? "start" : "end", class: "quiet"});
    const start = narrow ? 42 : 24;
    for (let n = 0; n < rows.length; n++) {
      const x = (n % columns) * cell, y = start + Math.floor(n / columns) * 42, wrong = count(rows[n]), vote = outcome(rows[n], models);
      const look = vote > 0 ? "bad" : vote ? "single" : "undecided";
      drawn += el("rect", {x, y, width: cell - 2, height: 24, class: "band"});
      drawn += el("rect", {x, y: y + 24 * (1 - wrong / models), width: cell - 2, height: 24 * wrong / models, class: look});
      if (vote >= 0) drawn += text(x + cell / 2 - 1, y + 36, vote ? "✗" : "=", {"text-anchor": "middle", class: look});
    }
    const top = start + Math.ceil(rows.length / columns) * 42 + 26, right = width - 14;
    drawn += text(0, top, "error of the vote", {class: "strong"});
    const others = [[models, {class: "bagging"}], [3, {class: "outline", "stroke-dasharray": "2 3"}], [1, {class: "single", "stroke-dasharray": "7 4"}]]
      .filter(([of], i, all) => all.findIndex(([other]) => other === of) === i);
    others.forEach(([of, look], i) => {
      const left = narrow ? 0 : 222 * i, y = top + 22 + (narrow ? 20 * i : 0);
      drawn += line([[left, y - 4], [left + 28, y - 4]], look) +
        text(left + 35, y, `${named(of)}: ${number(correlated(error, of, correlation), 3)}`, {class: i ? "" : "strong"});
    });
    const grid = Array.from({length: 101}, (_, i) => i / 100), most = Math.max(0.1, Math.ceil(11 * Math.max(error, correlated(error, models, 0))) / 10);
    const below = top + (narrow ? 74 : 34), high = below + 170;
    const at = scale([0, 1], [40, right]), up = scale([0, most], [high, below]), step = most > 0.6 ? 0.2 : most > 0.2 ? 0.1 : 0.05;
    for (let y = 0; y < most + 1e-9; y += step) {
      drawn += el("line", {x1: 40, x2: right, y1: up(y), y2: up(y), class: y ? "guide" : "axis"}) + text(30, up(y) + 4, number(+y.toFixed(2)), {"text-anchor": "end"});
    }
    for (const x of [0, 0.25, 0.5, 0.75, 1]) drawn += text(at(x), high + 18, number(x), {"text-anchor": "middle"});
    drawn += text((40 + right) / 2, high + 38, "correlation of two models’ errors", {"text-anchor": "middle", class: "quiet"});
    const turn = crossing(error, models);
    if (turn) drawn += el("line", {x1: at(turn), x2: at(turn), y1: below, y2: high, class: "found"}) +
      text(at(turn) + 6, high - 10, narrow ? "three are better →" : "from here on, three models are better →");
    for (const [of, look] of [...others].reverse()) drawn += line(grid.map(r => [at(r), up(correlated(error, of, r))]), look);
    const found = rows.reduce((sum, row) => sum + (outcome(row, models) + 1) / 2, 0) / rows.length;
    drawn += el("circle", {cx: at(correlation), cy: up(correlated(error, models, correlation)), r: 5, class: "bagging"});
    drawn += el("rect", {x: at(correlation) - 5, y: up(Math.min(found, most)) - 5, width: 10, height: 10, class: "hollow"});
    drawn += text(40, high + 58, "● formula", {class: "bagging"}) + text(122, high + 58, `□ ${narrow ? "the" : "share among the"} examples above`, {class: "quiet"});
    return svg(width, high + 66, "A bar for each example shows how many models are wrong; below, the error of the vote by the correlation", drawn);
  };

  oza.piece("votes", {
    pure: {voteError, correlated, crossing, simulate},
    state: {models: 11, error: 0.3, correlation: 0},
    controls: () => [
      {kind: "range", name: "models", label: "Models M", values: [1, 2, 3, 4, 5, 7, 9, 11, 15, 21, 31, 51, 101]},
      {kind: "range", name: "error", label: "Error of one model", values: Array.from({length: 12}, (_, i) => i / 20), show: x => number(x, 2)},
      {kind: "range", name: "correlation", label: "Correlation of two models’ errors", values: Array.from({length: 21}, (_, i) => i / 20), show: x => number(x, 2)},
    ],
    draw,
    say: (state, data) => {
      const {models, error, correlation} = state, rows = simulate(data, error, models, correlation);
      const wrong = rows.filter(row => outcome(row, models) > 0).length, ties = rows.filter(row => outcome(row, models) === 0).length;
      const expected = correlated(error, models, correlation), better = expected < error - 5e-5, turn = crossing(error, models);
      const turned = turn ? correlation >= turn ? "At this correlation three models would do better. " : `From a correlation of ${number(turn, 2)} on, three models do better. ` : "";
      const than = better ? "less often than" : expected > error + 5e-5 ? "more often than" : "as often as";
      return `${turned}${models === 1 ? "One model" : `The vote of ${models} models`} is wrong with probability ` +
        `${expected > 0 && expected < 1e-4 ? "below 0.0001" : number(expected, 4)}, ${than} one model (${number(error, 2)}); ` +
        `here on ${wrong} of ${rows.length} examples${ties ? `, with ${ties} ties` : ""}.`;
    },
  });
})();
