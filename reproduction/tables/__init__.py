"""The recorded results as frames: printed values, accuracies, comparisons and times.

Claims are judged by these frames, and tables and figures show them. `Record` reads the recorded results
and gives each frame by the number of its table.
"""

from .accuracy import (
    accuracy_cells,
    agreement_of_trees,
    joined_cells,
    marks_against_online,
    marks_against_single,
    signed_rank_chances,
)
from .benchmarks import benchmark_cells, read_benchmarks
from .comparing import against_batch, compare, curve_cells, moment_comparisons
from .explained import Cause, cause_of, explained, judged_candidates
from .layout import Layout, Scatter, layout, scatter
from .printed import listed, printed, where_kdd_ran_trees
from .record import NotPrinted, PrintedRecord, Record, Source
from .repairs import (
    beside_controls,
    beside_references,
    costs,
    counted_outcomes,
    earned,
    lines_of_bole,
    on_streams,
    remaining,
)
from .times import costs_by_size, protocol_times, recorded_times, time_cells, time_medians

__all__ = [
    "Cause",
    "Layout",
    "NotPrinted",
    "PrintedRecord",
    "Record",
    "Scatter",
    "Source",
    "accuracy_cells",
    "against_batch",
    "agreement_of_trees",
    "benchmark_cells",
    "beside_controls",
    "beside_references",
    "cause_of",
    "compare",
    "costs",
    "costs_by_size",
    "counted_outcomes",
    "curve_cells",
    "earned",
    "explained",
    "joined_cells",
    "judged_candidates",
    "layout",
    "lines_of_bole",
    "listed",
    "marks_against_online",
    "marks_against_single",
    "moment_comparisons",
    "on_streams",
    "printed",
    "protocol_times",
    "read_benchmarks",
    "recorded_times",
    "remaining",
    "scatter",
    "signed_rank_chances",
    "time_cells",
    "time_medians",
    "where_kdd_ran_trees",
]
