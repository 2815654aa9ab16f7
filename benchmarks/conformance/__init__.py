"""Who does what the sources say: rules of ensembles, and which implementation keeps them.

    make conformance                                          # with the peers, in their own environment
    python -m benchmarks.conformance --implementation River   # one column, or with --row one cell
    python -m reproduction conformance                        # shows what is recorded

`rows` has the rules and probes, `cells` the verdicts and the record, `experiments` what ten deviations cost,
and each other module is a column.
"""
