"""What would refute the claims about the convergence of bagging."""

COUNTER = {
    "C008": lambda changed, control: (changed | {"Naive Bayes": 1}, control),
    "C059": lambda null, proportional: (proportional, proportional),
    "C061": lambda base, ensemble: (base, 3 * base),
}
