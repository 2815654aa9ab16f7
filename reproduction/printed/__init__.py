"""The numbers that thesis and paper print, ours beside them, and their tables and figures.

`Record` of `record` reads the recorded results and gives each frame by the number of its table. Claims are
judged by these frames, and tables and figures show them.
"""
