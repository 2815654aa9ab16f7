"""The theory of the thesis, computed: distributions, bounds and small simulations."""
