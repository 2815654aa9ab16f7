"""What holds for every test, notebook and doctest."""

from tools.run_notebooks import own_kernel

own_kernel()  # nbval and papermill start kernels: of this environment, and without a user's start-up files
