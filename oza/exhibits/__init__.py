"""Tables and figures of the book: results in, table or figure out, nothing computed twice."""

from ._printed import listed, printed
from ._style import STYLE, show, svg
from ._table import Table
from .accuracy import (
    accuracy_cells,
    accuracy_table,
    batch_online_table,
    compared,
    coverage,
    differing_marks,
    significance_table,
)
from .benchmarks import benchmark_cells, benchmark_plot, benchmark_text, ratio_text, read_benchmarks
from .calendar import calendar_table
from .claims import claims_table, verdict_counts
from .comparison import compare, comparison_scatter, comparison_text
from .curves import (
    accuracy_curves,
    accuracy_curves_text,
    accuracy_means,
    error_curves,
    error_curves_text,
    time_curves,
    time_curves_text,
    time_medians,
)
from .diagrams import network_diagram, tree_diagram
from .differences import (
    difference_map,
    difference_text,
    differing_table,
    joined_cells,
    signed_rank_table,
)
from .memorisation import moment_comparisons, moment_curves, moment_table, moment_text
from .report import (
    comparison_notes,
    comparison_report,
    comparison_table,
    learning_curves,
    stream_curves,
    stream_totals,
)
from .rule_changes import changed_rules, changes_table, direction_counts, verdicts_by_tolerance
from .scatter import error_points, error_scatter, error_scatters, scatter_text, scatters_text
from .scorecard import (
    Scorecard,
    judged_claims,
    scorecard,
    scorecard_claims,
    scorecard_record,
    scorecard_text,
    shares_in_percent,
)
from .sizes import table_3_1
from .times import costs_by_size, protocol_times, recorded_times, time_cells, times_table

__all__ = [
    "STYLE",
    "Scorecard",
    "Table",
    "accuracy_cells",
    "accuracy_curves",
    "accuracy_curves_text",
    "accuracy_means",
    "accuracy_table",
    "batch_online_table",
    "benchmark_cells",
    "benchmark_plot",
    "benchmark_text",
    "calendar_table",
    "changed_rules",
    "changes_table",
    "claims_table",
    "compare",
    "compared",
    "comparison_notes",
    "comparison_report",
    "comparison_scatter",
    "comparison_table",
    "comparison_text",
    "costs_by_size",
    "coverage",
    "difference_map",
    "difference_text",
    "differing_marks",
    "differing_table",
    "direction_counts",
    "error_curves",
    "error_curves_text",
    "error_points",
    "error_scatter",
    "error_scatters",
    "joined_cells",
    "judged_claims",
    "learning_curves",
    "listed",
    "moment_comparisons",
    "moment_curves",
    "moment_table",
    "moment_text",
    "network_diagram",
    "printed",
    "protocol_times",
    "ratio_text",
    "read_benchmarks",
    "recorded_times",
    "scatter_text",
    "scatters_text",
    "scorecard",
    "scorecard_claims",
    "scorecard_record",
    "scorecard_text",
    "shares_in_percent",
    "show",
    "signed_rank_table",
    "significance_table",
    "stream_curves",
    "stream_totals",
    "svg",
    "table_3_1",
    "time_cells",
    "time_curves",
    "time_curves_text",
    "time_medians",
    "times_table",
    "tree_diagram",
    "verdict_counts",
    "verdicts_by_tolerance",
]
