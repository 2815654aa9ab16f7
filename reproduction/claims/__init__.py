"""Checks that decide the claims of the thesis: evidence in, verdict out.

Each check is a pure function with the number of its claim in `data/reference/claims.csv`, in the
module of the part of the thesis that makes the claim. A check of a theorem cannot prove it; it
holds computed values against a consequence that would show if the theorem were false, a rate or a
bound, and says "undecided" when the evidence does not decide the claim.

Beside each check stands its evidence provider, which reads the evidence from recorded results or computes
it, so that `judge` can decide a claim by its number, without a notebook.
"""
