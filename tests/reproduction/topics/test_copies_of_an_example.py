"""What would refute the claims about copies of an example."""

COUNTER = {
    "C007": lambda variances, whole: (1 - variances, whole),
    "C053": lambda distance: 1.01 * distance,
    "C054": lambda trials, independent: (trials, independent | {(1, 1, 0, 0): trials[2, 0, 0, 0]}),
}
