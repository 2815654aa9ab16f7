"""Configuration of all tests, notebooks and doctests."""

from tools.run_notebooks import own_kernel

own_kernel()  # nbval and papermill then start kernels of this environment, without the user's start-up files
