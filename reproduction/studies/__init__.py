"""What several topics share: the protocol of accuracies, algorithms, searches for settings, streams.

A study has `tasks`, and a way to `measure` one; `recorded` reads the results of tasks from the record, and
`compute` computes tasks now.
"""
