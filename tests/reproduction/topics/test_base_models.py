"""Online learners: what would refute the claim."""

#: What would refute the claims.
COUNTER = {"C031": lambda differing, control: (differing | {"Naive Bayes": 1}, control)}
