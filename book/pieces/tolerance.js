/* The scorecard: how many printed accuracies agree with ours, by the margin within which two are equal. */
"use strict";
(() => {
  const {el, text, svg, scale, axis, number} = oza;
  const VERDICTS = {agrees: ["✓", "good"], differs: ["✗", "bad"], undecided: ["?", "undecided"]};

  /** The verdict on each cell [table, data set, algorithm, ours, half width, printed], by the rule of the book. */
  const compute = (data, margin) => data.cells.map(([, , , ours, halfWidth, printed]) => {
    const apart = Math.max(Math.abs(ours - printed) - data.printed_rounding, 0), limit = margin + data.rounding;
    const half = halfWidth ?? NaN;
    if (apart + half <= limit) return "agrees";
    return apart > half && apart > limit ? "differs" : "undecided";
  });

  const shown = (state, data) => {
    const verdicts = compute(data, state.margin);
    return data.cells.map((cell, i) => ({table: cell[0], dataset: cell[1], algorithm: cell[2], ours: cell[3],
      half: cell[4], printed: cell[5], verdict: verdicts[i]}))
      .filter(c => (!state.table || c.table === state.table) && (!state.algorithm || c.algorithm === state.algorithm));
  };
  const counted = cells => cells.reduce((counts, c) => { counts[c.verdict]++; return counts; }, {agrees: 0, differs: 0, undecided: 0});
  const points = x => `${number(100 * x, 1)} point${x === 0.01 ? "" : "s"}`;

  /** The cells as comma-separated values. */
  const csv = cells => ["table,dataset,algorithm,ours,half_width,printed,verdict",
    ...cells.map(c => [c.table, c.dataset, c.algorithm, c.ours, c.half ?? "", c.printed, c.verdict].join(","))].join("\n") + "\n";

  const save = (state, data) => {
    const cells = shown(state, data);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv(cells)], {type: "text/csv"}));
    link.download = "printed-accuracies.csv";
    link.click();
    URL.revokeObjectURL(link.href);
    state.saved = cells.length;
  };

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, cells = shown(state, data);
    const columns = [...new Set(data.cells.map(c => `${c[0]} ${c[2]}`))], rows = [...new Set(data.cells.map(c => c[1]))];
    const left = narrow ? 104 : 130, wide = (width - left) / columns.length, high = 20, top = 44;
    let drawn = "", last = "";
    columns.forEach((column, i) => {
      const table = column.split(" ")[0];
      if (table !== last) drawn += text(left + i * wide + 1, 14, narrow ? table : `Table ${table}`, {class: "strong"});
      last = table;
      const name = data.short[column.slice(table.length + 1)];
      drawn += text(left + (i + 0.5) * wide, 36, name, {"text-anchor": "middle", class: "quiet"});
    });
    rows.forEach((row, j) => { drawn += text(0, top + j * high + 15, row); });
    for (const c of cells) {
      const i = columns.indexOf(`${c.table} ${c.algorithm}`), j = rows.indexOf(c.dataset), [sign, look] = VERDICTS[c.verdict];
      drawn += el("rect", {x: left + i * wide, y: top + j * high, width: wide - 1.5, height: high - 1.5, class: `${look}-ground`});
      drawn += text(left + (i + 0.5) * wide - 1, top + j * high + 14, sign, {"text-anchor": "middle", class: look});
    }

    const below = top + rows.length * high + 16;
    drawn += text(0, below, narrow ? "S single, B bagging, O online bagging," : "✓ agrees, ✗ differs, ? undecided; S single, B bagging, O online bagging, o online single", {class: "quiet"}) + (narrow ? text(0, below + 18, "o online single", {class: "quiet"}) : "");
    const base = below + (narrow ? 142 : 124), most = 0.05, bin = 0.001;
    const at = scale([-most - 0.003, most + 0.003], [8, width - 8]), step = Math.abs(at(bin) - at(0));
    drawn += el("rect", {x: at(-state.margin), y: base - 92, width: at(state.margin) - at(-state.margin), height: 92, class: "band"});
    drawn += text(0, base - 96, narrow ? "our accuracy minus the printed one" : "our accuracy minus the printed one: a block is a cell of the tables above", {class: "strong"});
    const beyond = most + 0.002;
    const binned = c => Math.round(Math.max(-beyond, Math.min(beyond, c.ours - c.printed)) / bin);
    const places = cells.map(binned), highest = Math.max(...places.map(p => places.filter(q => q === p).length));
    const unit = Math.min(5, 90 / highest), piles = {};
    for (const c of [...cells].sort((a, b) => a.verdict < b.verdict ? -1 : a.verdict > b.verdict ? 1 : 0)) {
      const place = binned(c);
      const n = piles[place] = (piles[place] ?? 0) + 1;
      drawn += el("rect", {x: at(place * bin) - step / 2, y: base - unit * n, width: step - 0.5, height: 0.85 * unit, class: VERDICTS[c.verdict][1]});
    }
    drawn += axis(at, [-0.05, -0.04, -0.03, -0.02, -0.01, 0, 0.01, 0.02, 0.03, 0.04, 0.05], base, t => number(Math.round(100 * t)));
    drawn += text(width / 2, base + 36, narrow ? "points; ends: 5 and beyond" : "percentage points of accuracy; at the ends all that are further apart",
      {"text-anchor": "middle", class: "quiet"});
    return svg(width, base + 44, "Verdicts on the printed accuracies by data set and column, and the differences between ours and the printed ones", drawn);
  };

  oza.piece("tolerance", {
    pure: {compute, csv},
    state: {margin: 0.01, table: "", algorithm: "", saved: 0},
    controls: data => [
      {kind: "range", name: "margin", label: "Margin of equality", values: Array.from({length: 31}, (_, i) => i / 1000), show: points},
      {kind: "select", name: "table", label: "Table",
        options: [["", "all"], ...Object.entries(data.tables).map(([table, base]) => [table, `${table}, ${base}`])]},
      {kind: "select", name: "algorithm", label: "Model", options: [["", "all"], ...Object.entries(data.algorithms)]},
      {kind: "button", label: "Save as CSV", press: state => save(state, data)},
    ],
    draw,
    say: (state, data) => {
      const cells = shown(state, data), n = counted(cells);
      if (!cells.length) return "No printed accuracy of this table is of this model.";
      return `With a margin of ${points(state.margin)}, the verdicts on ${cells.length} printed accuracies are: agrees (✓) ${n.agrees}, ` +
        `differs (✗) ${n.differs}, undecided (?) ${n.undecided}` + (state.saved ? `; ${state.saved} rows were saved as CSV.` : ".");
    },
  });
})();
