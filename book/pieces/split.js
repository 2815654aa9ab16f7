/* A Hoeffding tree: whether a leaf splits or waits, and what the bound does not promise. */
"use strict";
(() => {
  const {el, text, svg, scale, number, line} = oza;

  /** The Hoeffding bound ε for a mean of n draws from an interval of length log₂ K. */
  const bound = (n, delta, classes) => Math.sqrt(Math.log2(classes) ** 2 * Math.log(1 / delta) / (2 * n));
  /** What a leaf does: "split" if the gains are far enough apart, "tie" if ε is below τ, else "wait". */
  const decide = (n, delta, tau, gap, classes) => {
    const epsilon = bound(n, delta, classes);
    return gap > epsilon ? "split" : epsilon < tau ? "tie" : "wait";
  };
  /** Weight from which on ε is below a gap. */
  const needed = (gap, delta, classes) => gap ? Math.log2(classes) ** 2 * Math.log(1 / delta) / (2 * gap * gap) : Infinity;

  const entropy = p => p <= 0 || p >= 1 ? 0 : -p * Math.log2(p) - (1 - p) * Math.log2(1 - p);
  /** Probability that the gain of an attribute that equals the class, one of two, the rarer with this share,
      exceeds its true value by more than ε. */
  const exceeds = (n, delta, share) => {
    const least = entropy(share) + bound(n, delta, 2);
    let log = n * Math.log1p(-share), sum = 0;
    for (let k = 0; k <= n; k++) {
      if (entropy(k / n) > least) sum += Math.exp(log);
      log += Math.log((n - k) / (k + 1) * share / (1 - share));
    }
    return sum;
  };

  const SHARE = 0.1;
  const raised = x => [...String(x)].map(c => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("");
  const power = (x, digits = 0) => {
    if (x >= 0.001 || x === 0) return number(x, digits ? 4 : undefined);
    const [factor, exponent] = x.toExponential(digits).split("e");
    return (factor === "1" ? "" : `${factor} × `) + `10${raised(exponent)}`;
  };
  const SAYS = {split: "splits", tie: "splits by the tie rule", wait: "waits"};

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, {n, delta, tau, gap, classes} = state, epsilon = bound(n, delta, classes);
    const what = decide(n, delta, tau, gap, classes), second = 0.2, first = second + gap;
    const x = scale([-0.4, 1], [40, width - 10]);
    let drawn = text(0, 14, narrow ? "gains of the two best tests, ± ε/2" : "gains of the two best tests at a leaf, each ± ε/2", {class: "strong"}) +
      text(0, 124, `The leaf ${SAYS[what]}.`, {class: what === "wait" ? "strong undecided" : "strong good"});
    [[first, 44, "G₁"], [second, 74, "G₂"]].forEach(([gain, y, name]) => {
      const from = Math.max(x(gain - epsilon / 2), 40), to = Math.min(x(gain + epsilon / 2), width - 10);
      drawn += text(0, y + 4, name) + el("line", {x1: 40, x2: width - 10, y1: y, y2: y, class: "guide"});
      drawn += el("rect", {x: from, y: y - 5, width: Math.max(to - from, 1), height: 10, class: "stream", opacity: 0.45});
      drawn += el("circle", {cx: x(gain), cy: y, r: 6, class: "stream"});
    });
    for (const t of [0, 0.2, 0.4, 0.6, 0.8, 1]) drawn += text(x(t), 102, number(t), {"text-anchor": "middle"});
    drawn += text(x(narrow ? 0.8 : 0.5), 122, "bits", {"text-anchor": "middle", class: "quiet"});

    const at = scale([50, 50000], [46, width - 26], "log"), up = scale([0, 0.6], [312, 168]);
    drawn += text(0, 152, narrow ? "ε in bits, by examples in the leaf" : "ε in bits, by the number n of examples in the leaf", {class: "strong"});
    for (const y of [0, 0.2, 0.4, 0.6]) drawn += text(36, up(y) + 4, number(y), {"text-anchor": "end"}) + el("line", {x1: 46, x2: width - 26, y1: up(y), y2: up(y), class: y ? "guide" : "axis"});
    for (const t of narrow ? [100, 1000, 10000] : [50, 100, 500, 1000, 5000, 10000, 50000]) drawn += text(at(t), 330, number(t), {"text-anchor": "middle"});
    const grid = Array.from({length: 121}, (_, i) => 50 * 1000 ** (i / 120)).filter(m => bound(m, delta, classes) <= 0.6);
    drawn += line(grid.map(m => [at(m), up(bound(m, delta, classes))]), {class: "stream"});
    drawn += text(width - 28, up(gap) - 5, "G₁ − G₂", {"text-anchor": "end", class: "bagging halo"}) + line([[46, up(gap)], [width - 26, up(gap)]], {class: "bagging"});
    if (tau) drawn += line([[46, up(tau)], [width - 26, up(tau)]], {class: "single", "stroke-dasharray": "5 4"}) + text(width - 20, up(tau) + 4, "τ");
    if (epsilon <= 0.6) drawn += el("circle", {cx: at(n), cy: up(epsilon), r: 6, class: "stream"});
    drawn += el("line", {x1: at(n), x2: at(n), y1: 168, y2: 312, class: "guide"});

    drawn += text(0, 362, narrow ? "probability of an error above ε" : "probability that a value exceeds its true one by more than ε", {class: "strong"});
    drawn += text(0, 384, "promised for a mean: at most") + text(width, 384, power(delta), {"text-anchor": "end"});
    drawn += text(0, 406, narrow ? "gain of a copy of the class (10 % to 90 %):" : "the gain of an attribute that equals a class of 10 % (of two), computed:") +
      text(width, narrow ? 426 : 406, power(exceeds(n, delta, SHARE), 1), {"text-anchor": "end"});
    return svg(width, 434, "The two gains with the bound, the bound by the weight of the leaf, and how often it is exceeded", drawn);
  };

  oza.piece("split", {
    pure: {bound, decide, exceeds},
    state: {n: 1000, delta: 1e-7, tau: 0.05, gap: 0.08, classes: 2},
    controls: data => [
      {kind: "range", name: "n", label: "Examples n in the leaf", values: [50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10000, 20000, 50000]},
      {kind: "range", name: "gap", label: "Gap G₁ − G₂ of the gains, in bits", values: [0, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4], show: g => number(g, 2)},
      {kind: "range", name: "delta", label: "Risk of error δ", values: [1e-9, 1e-7, 1e-5, 1e-3, 0.01, 0.05, 0.1], show: d => power(d)},
      {kind: "range", name: "tau", label: "Tie threshold τ", values: [0, 0.01, 0.02, 0.05, 0.1, 0.2], show: t => number(t, 2)},
      {kind: "select", name: "classes", label: "Classes", options: [[2, "2"], [3, "3"], [5, "5"], [10, "10"]]},
    ],
    draw,
    say: state => {
      const {n, delta, tau, gap, classes} = state, epsilon = bound(n, delta, classes), what = decide(n, delta, tau, gap, classes);
      const why = {split: `the gap ${number(gap, 2)} is above ε`, tie: `ε is below τ = ${number(tau, 2)}`, wait: "the gap is not above ε, nor ε below τ"}[what];
      const enough = Math.ceil(Math.min(needed(gap, delta, classes), needed(tau, delta, classes)));
      return `With ${number(n)} examples, ε = ${number(epsilon, 4)}: the leaf ${SAYS[what]}, since ${why}. With these settings it ` +
        `${Number.isFinite(enough) ? `splits from ${number(enough)} examples on` : "never splits"}.`;
    },
  });
})();
