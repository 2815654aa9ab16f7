"""What would refute the claims about sampling and convergence, or confirm C056."""

COUNTER = {
    "C007": lambda variances, whole: (1 - variances, whole),
    "C008": lambda changed, control: (changed | {"Naive Bayes": 1}, control),
    "C053": lambda distance: 1.01 * distance,
    "C054": lambda trials, independent: (trials, independent | {(1, 1, 0, 0): trials[2, 0, 0, 0]}),
    "C055": lambda variances: variances.assign(estimate=1.2 * variances["exact"]),
    "C056": lambda ratio, shift: (ratio, 0 * shift),
    "C057": lambda pointwise, distance, mass: (pointwise, 0 * distance + 0.3, mass),
    "C058": lambda probability: 0.9 * probability,
    "C059": lambda null, proportional: (proportional, proportional),
    "C060": lambda unreachable, largest: (0 * unreachable + 0.3, largest),
    "C061": lambda base, ensemble: (base, 3 * base),
}
