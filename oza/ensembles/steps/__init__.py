"""The algorithms of the ensembles as compiled code: the step for one example, as in the pseudo-code."""
