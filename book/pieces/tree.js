/* A lossless decision tree: after each example it is the tree of all examples so far, built anew where a test changes. */
"use strict";
(() => {
  const {el, text, svg, scale, number, line} = oza;
  const isTest = tree => tree.length === 3;

  /** Numbers of those who repaid and of those who defaulted, in a tree. */
  const counts = tree => isTest(tree) ? counts(tree[1]).map((n, c) => n + counts(tree[2])[c]) : tree;

  const bits = list => {
    const total = list.reduce((a, b) => a + b, 0);
    return list.reduce((sum, n) => n ? sum - n / total * Math.log2(n / total) : sum, 0);
  };
  /** Gain and gain ratio of a question, in bits, from the counts of those who answer yes and no; null if it divides none. */
  const scores = (yes, no) => {
    const [a, b] = [yes, no].map(part => part[0] + part[1]);
    if (!a || !b) return null;
    const gain = bits([yes[0] + no[0], yes[1] + no[1]]) - (a * bits(yes) + b * bits(no)) / (a + b);
    return {gain, ratio: gain / bits([a, b])};
  };
  /** Scores of all questions on those of the first n who gave the answers [question, answer] of a path. */
  const tests = (data, n, path) => data.questions.map((_, q) => {
    const parts = [[0, 0], [0, 0]];
    data.answers.slice(0, n).forEach((answers, i) => {
      if (path.every(([question, answer]) => answers[question] === answer)) parts[answers[q]][data.defaults[i]]++;
    });
    return scores(parts[1], parts[0]);
  });

  /** Paths to the highest nodes whose test is another one than before. */
  const rebuilt = (before, after, path = []) => {
    if (!isTest(before) || !isTest(after)) return [];
    if (before[0] !== after[0]) return [path];
    return [1, 0].flatMap(answer => rebuilt(before[2 - answer], after[2 - answer], [...path, [after[0], answer]]));
  };
  const at = (tree, path) => path.reduce((part, [, answer]) => part[2 - answer], tree);
  const changes = (data, n) => n > 1 ? rebuilt(data.trees[n - 2], data.trees[n - 1]) : [];
  const asked = (data, q) => `“${data.questions[q]}?”`;

  const LOOKS = [{class: "stream"}, {class: "single", "stroke-dasharray": "7 4"}, {class: "outline", "stroke-dasharray": "2 3"}];
  const TOP = 58, STEP = 74, HIGH = 36;

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, {n} = state, newest = data.answers[n - 1], found = changes(data, n);
    const place = path => path.reduce((left, [, answer], i) => left + (answer ? 0 : width / 2 ** (i + 1)), 0);
    const x = path => place(path) + width / 2 ** (path.length + 1), y = path => TOP + STEP * path.length;
    let back = "", edges = "", boxes = "";
    for (const path of found) {
      const wide = width / 2 ** path.length;
      back += el("rect", {x: place(path) + 1, y: y(path) - 16, width: wide - 2, height: TOP + 3 * STEP + 74 - y(path), rx: 6, class: "undecided-ground"});
      back += text(place(path) + wide / 2, TOP + 3 * STEP + 52, "built anew", {"text-anchor": "middle", class: "strong undecided"});
    }
    const show = (tree, path) => {
      const [repaid, defaulted] = counts(tree), [cx, top] = [x(path), y(path)];
      const isOnWay = path.every(([question, answer]) => newest[question] === answer);
      if (!isTest(tree)) {
        const columns = Math.min(repaid + defaulted, narrow ? 3 : 6), step = 11;
        for (let i = 0; i < repaid + defaulted; i++) {
          const of = [cx + (i % columns - (columns - 1) / 2) * step, top - 4 + step * Math.floor(i / columns)];
          boxes += el("circle", {cx: of[0], cy: of[1], r: 4, class: i < repaid ? "hollow" : "ink"});
        }
        const below = top + 12 + step * (Math.ceil((repaid + defaulted) / columns) - 1);
        return void (boxes += text(cx, below + 4, `${repaid} : ${defaulted}`, {"text-anchor": "middle", class: isOnWay ? "strong" : ""}));
      }
      const question = data.questions[tree[0]], shown = `${narrow ? question.split(" ").at(-1) : question}?`;
      const wide = narrow ? 74 : 106;
      for (const answer of [1, 0]) {
        const child = [...path, [tree[0], answer]], way = isOnWay && newest[tree[0]] === answer;
        const ends = {x1: cx, y1: top + HIGH - 12, x2: x(child), y2: y(child) - 14};
        edges += el("line", {...ends, class: way ? "sign" : "axis"});
        const middle = [0.55 * ends.x1 + 0.45 * ends.x2, 0.55 * ends.y1 + 0.45 * ends.y2];
        edges += text(middle[0] + (answer ? -6 : 6), middle[1], answer ? "yes" : "no", {"text-anchor": answer ? "end" : "start", class: way ? "strong" : "quiet"});
        show(tree[2 - answer], child);
      }
      boxes += el("rect", {x: cx - wide / 2, y: top - 12, width: wide, height: HIGH, rx: 4, class: "hollow"});
      boxes += text(cx, top + 3, shown, {"text-anchor": "middle", class: "strong"}) + text(cx, top + 18, `${repaid} : ${defaulted}`, {"text-anchor": "middle"});
    };
    show(data.trees[n - 1], []);
    const head = text(0, 14, `the tree of ${n === 1 ? "one card holder" : `${n} card holders`}`, {class: "strong"}) +
      text(narrow ? 0 : width, narrow ? 33 : 14, "○ repaid : ● defaulted", {"text-anchor": narrow ? "start" : "end", class: "quiet"});

    const top = TOP + 3 * STEP + 90, high = top + 96, end = data.trees.length;
    const across = scale([1, end], [34, width - 12]), up = scale([0, 0.6], [high, top + 8]);
    const course = Array.from({length: end}, (_, i) => tests(data, i + 1, [])), root = data.trees[n - 1];
    let drawn = text(0, top - 10, narrow ? "gain ratio at the root (lines: new test)" : "gain ratio of each test at the root; upright lines mark where the test of the root changes", {class: "strong"});
    for (const g of [0, 0.2, 0.4, 0.6]) drawn += text(28, up(g) + 4, number(g), {"text-anchor": "end"}) + el("line", {x1: 34, x2: width - 12, y1: up(g), y2: up(g), class: g ? "guide" : "axis"});
    for (const i of [1, 6, 12, 18, 24]) drawn += text(across(i), high + 18, i, {"text-anchor": "middle"});
    for (let i = 2; i <= end; i++) {
      if (changes(data, i).some(path => !path.length)) drawn += el("line", {x1: across(i), x2: across(i), y1: top + 4, y2: high, class: "found"});
    }
    drawn += el("line", {x1: across(n), x2: across(n), y1: top + 4, y2: high, class: "sign"});
    data.questions.forEach((question, q) => {
      const known = course.map((row, i) => [i + 1, row[q]]).filter(([, score]) => score);
      drawn += line(known.map(([i, {ratio}]) => [across(i), up(Math.min(ratio, 0.6))]), LOOKS[q]);
      const left = narrow ? 0 : 220 * q, below = high + 42 + (narrow ? 20 * q : 0), score = course[n - 1][q];
      const look = isTest(root) && root[0] === q ? "strong" : "";
      drawn += line([[left, below - 4], [left + 28, below - 4]], LOOKS[q]) + text(left + 34, below, question, {class: look});
      drawn += text(left + (narrow ? 312 : 190), below, score ? number(score.ratio, 3) : "–", {"text-anchor": "end", class: look});
    });
    return svg(width, high + (narrow ? 92 : 52), "The tree after this card holder, and the gain ratios of the three tests at its root", head + back + edges + boxes + drawn);
  };

  const told = (data, path) => path.length
    ? `among those with ${path.map(([q, answer]) => `${answer ? "" : "no "}“${data.questions[q]}”`).join(" and ")}` : "at the root";

  oza.piece("tree", {
    pure: {scores, tests, rebuilt},
    state: {n: 11},
    controls: data => {
      const end = data.trees.length, to = (state, n) => { state.n = Math.min(end, Math.max(1, n)); return state.n < end; };
      const next = state => { let n = state.n + 1; while (n < end && !changes(data, n).length) n++; return to(state, n); };
      return [
        {kind: "button", label: "Back", press: state => to(state, state.n - 1), optional: state => state.n > 1},
        {kind: "button", label: "Next card holder", press: state => to(state, state.n + 1), optional: state => state.n < end},
        {kind: "button", label: "Next change of a test", press: next, optional: state => state.n < end},
        {kind: "play", label: "Play", press: state => to(state, state.n + 1), every: 900, optional: state => state.n < end},
        {kind: "range", name: "n", label: "Card holders so far", min: 1, max: end},
      ];
    },
    draw,
    say: (state, data) => {
      const {n} = state, answers = data.answers[n - 1], tree = data.trees[n - 1];
      const has = data.questions.filter((_, q) => answers[q]).join(", ") || "no to all questions";
      const start = `Card holder ${n} (${has}) ${data.defaults[n - 1] ? "defaulted" : "repaid"}: `;
      const why = changes(data, n).map(path => {
        const now = at(tree, path)[0], before = at(data.trees[n - 2], path)[0], score = tests(data, n, path);
        const many = counts(at(tree, path)).reduce((a, b) => a + b, 0), ratio = q => number(score[q]?.ratio ?? 0, 3);
        const isTie = score[before] && Math.abs(score[now].ratio - score[before].ratio) < 1e-12;
        return `${told(data, path)}, ${asked(data, now)} now has the gain ratio ${ratio(now)}, ` +
          (isTie ? `as ${asked(data, before)} has, and wins the tie as the earlier column` : `and ${asked(data, before)} only ${ratio(before)}`) +
          `, so this part of the tree is built anew from its ${many} card holders`;
      });
      if (why.length) return `${start}${why.join("; ")}.`;
      if (!isTest(tree)) return `${start}all so far did the same, and the tree is one leaf.`;
      const leaves = part => isTest(part) ? leaves(part[1]) + leaves(part[2]) : 1;
      return start + (leaves(tree) > leaves(data.trees[n - 2])
        ? "a leaf now has both kinds, and gets a test; the tests above it stay the best."
        : "all tests stay the best, and only counts change.");
    },
  });
})();
