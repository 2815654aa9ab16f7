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

  /** Which of `models` models err on each example, from uniform numbers of the library. */
  const simulate = (numbers, error, models, correlation) => numbers.hard.map((hard, n) =>
    Array.from({length: models}, (_, m) =>
      (numbers.shared[n][m] < Math.sqrt(correlation) ? hard : numbers.own[n][m]) < error));

  const count = row => row.filter(Boolean).length;
  const outcome = (row, models) => Math.sign(2 * count(row) - models);  // 1: the vote errs, 0: a tie

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, {models, error, correlation} = state;
    const rows = simulate(data, error, models, correlation), cell = narrow ? 14.6 : 19, columns = narrow ? 20 : 34;
    const right = narrow ? 312 : 646;
    let drawn = text(0, 14, `${rows.length} examples: how many of ${models} ${models === 1 ? "model errs" : "models err"}${narrow ? "" : " (✗ the vote errs, = it is tied)"}`, {class: "strong"});
    for (let n = 0; n < rows.length; n++) {
      const x = (n % columns) * cell, y = 24 + Math.floor(n / columns) * 42, wrong = count(rows[n]), vote = outcome(rows[n], models);
      const look = vote > 0 ? "bad" : vote ? "single" : "undecided";
      drawn += el("rect", {x, y, width: cell - 2, height: 24, class: "band"});
      drawn += el("rect", {x, y: y + 24 * (1 - wrong / models), width: cell - 2, height: 24 * wrong / models, class: look});
      if (vote >= 0) drawn += text(x + cell / 2 - 1, y + 36, vote ? "✗" : "=", {"text-anchor": "middle", class: look});
    }
    const top = 24 + Math.ceil(rows.length / columns) * 42 + 26;
    drawn += text(0, top, narrow ? "error of the vote, by the correlation" : "error of the vote, by the correlation of two models’ errors", {class: "strong"});
    const at = scale([0, 1], [40, right - 14]), high = top + 150, up = scale([0, 0.6], [high, top + 14]);
    for (const y of [0, 0.2, 0.4, 0.6]) {
      drawn += el("line", {x1: 40, x2: right - 14, y1: up(y), y2: up(y), class: y ? "guide" : "axis"}) + text(30, up(y) + 4, number(y), {"text-anchor": "end"});
    }
    for (const x of [0, 0.25, 0.5, 0.75, 1]) drawn += text(at(x), high + 18, number(x), {"text-anchor": "middle"});
    const grid = Array.from({length: 81}, (_, i) => i / 80);
    drawn += line(grid.map(r => [at(r), up(correlated(error, models, r))]), {class: "bagging"});
    drawn += line([[at(0), up(error)], [at(1), up(error)]], {class: "single", "stroke-dasharray": "5 4"});
    drawn += text(at(0) + 6, up(error) - 6, "one model", {class: "quiet"});
    const found = rows.reduce((sum, row) => sum + (outcome(row, models) + 1) / 2, 0) / rows.length;
    drawn += el("circle", {cx: at(correlation), cy: up(correlated(error, models, correlation)), r: 5, class: "bagging"});
    drawn += el("rect", {x: at(correlation) - 5, y: up(Math.min(found, 0.6)) - 5, width: 10, height: 10, class: "hollow"});
    drawn += text(40, high + 38, narrow ? "● formula   □ these examples" : "● formula   □ share among the examples above", {class: "quiet"});
    return svg(width, high + 46, "A bar for each example shows how many models err; below, the error of the vote by the correlation", drawn);
  };

  oza.piece("votes", {
    pure: {voteError, correlated, simulate},
    state: {models: 11, error: 0.3, correlation: 0},
    controls: () => [
      {kind: "range", name: "models", label: "Models M", values: [1, 2, 3, 4, 5, 7, 9, 11, 15, 21, 31]},
      {kind: "range", name: "error", label: "Error of one model", values: Array.from({length: 12}, (_, i) => i / 20), show: x => number(x, 2)},
      {kind: "range", name: "correlation", label: "Correlation of two models’ errors", values: Array.from({length: 21}, (_, i) => i / 20), show: x => number(x, 2)},
    ],
    draw,
    say: (state, data) => {
      const {models, error, correlation} = state, rows = simulate(data, error, models, correlation);
      const wrong = rows.filter(row => outcome(row, models) > 0).length, ties = rows.filter(row => outcome(row, models) === 0).length;
      return `The vote of ${models} ${models === 1 ? "model" : "models"}, each wrong on ${number(100 * error, 0)} % of the examples with correlation ` +
        `${number(correlation, 2)}, errs with probability ${number(correlated(error, models, correlation), 4)}; among these ${rows.length} examples ` +
        `it errs on ${wrong}` + (ties ? ` and is tied on ${ties}.` : ".");
    },
  });
})();
