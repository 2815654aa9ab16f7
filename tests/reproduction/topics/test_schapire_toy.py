"""Schapire's toy example: what would refute the claim."""

#: What would refute the claims.
COUNTER = {"C143": lambda errors, votes, *printed: (errors, [0.42, 0.65, 0.91], *printed)}
