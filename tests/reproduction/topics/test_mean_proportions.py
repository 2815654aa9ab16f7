"""What would refute the claims about mean proportions, or confirm C056."""

COUNTER = {
    "C055": lambda variances: variances.assign(estimate=1.2 * variances["exact"]),
    "C056": lambda ratio, shift: (ratio, 0 * shift),
    "C057": lambda pointwise, distance, mass: (pointwise, 0 * distance + 0.3, mass),
    "C058": lambda probability: 0.9 * probability,
    "C060": lambda unreachable, largest: (0 * unreachable + 0.3, largest),
}
