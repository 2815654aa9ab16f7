from hypothesis import settings

# No deadline, since a first call compiles; derandomised, so that a failure means a change in the code.
settings.register_profile("oza", deadline=None, derandomize=True)
settings.load_profile("oza")
