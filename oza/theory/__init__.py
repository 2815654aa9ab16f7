"""What the theory of the thesis says, computed: laws, bounds and small simulations."""
