"""The exponential loss: what would refute the claims."""

#: What would refute the claims.
COUNTER = {
    "C132": lambda steps: steps.assign(minimising=0.5),
    "C134": lambda n_weights, differing: (n_weights, differing | {"Mooney": 1}),
    "C145": lambda problems: problems.assign(same=False),
}
