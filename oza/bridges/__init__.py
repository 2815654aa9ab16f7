"""Our classifiers as those of River and CapyMOA, so that their evaluators and pipelines run them.

`oza.bridges.river` needs River, the extra `river`; `oza.bridges.capymoa` needs CapyMOA, the extra `capymoa`.
"""
