"""Columns of X: their kinds and values, and the encoding of examples for the kernels; checks of arguments."""
