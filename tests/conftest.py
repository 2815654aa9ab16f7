from hypothesis import settings

# A first call compiles, so no deadline; the same examples on every run, so that red means a change.
settings.register_profile("oza", deadline=None, derandomize=True)
settings.load_profile("oza")
