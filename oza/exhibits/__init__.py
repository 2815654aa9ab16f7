"""Tables and figures of the book: results in, table or figure out, nothing computed twice."""

from ._printed import printed
from ._style import STYLE, show, svg
from ._table import Table
from .accuracy import accuracy_cells, accuracy_table, significance_table
from .benchmarks import benchmark_cells, benchmark_plot, benchmark_text, ratio_text, read_benchmarks
from .claims import claims_table
from .comparison import compare, comparison_scatter, comparison_text
from .diagrams import network_diagram, tree_diagram
from .report import (
    comparison_notes,
    comparison_report,
    comparison_table,
    learning_curves,
    stream_curves,
    stream_totals,
)
from .scatter import error_points, error_scatter, scatter_text
from .scorecard import (
    Scorecard,
    cells_heat_map,
    heat_map_text,
    scorecard,
    scorecard_claims,
    scorecard_record,
    scorecard_text,
)
from .sizes import table_3_1
from .times import time_cells, times_table

__all__ = [
    "STYLE",
    "Scorecard",
    "Table",
    "accuracy_cells",
    "accuracy_table",
    "benchmark_cells",
    "benchmark_plot",
    "benchmark_text",
    "cells_heat_map",
    "claims_table",
    "compare",
    "comparison_notes",
    "comparison_report",
    "comparison_scatter",
    "comparison_table",
    "comparison_text",
    "error_points",
    "error_scatter",
    "heat_map_text",
    "learning_curves",
    "network_diagram",
    "printed",
    "ratio_text",
    "read_benchmarks",
    "scatter_text",
    "scorecard",
    "scorecard_claims",
    "scorecard_record",
    "scorecard_text",
    "show",
    "significance_table",
    "stream_curves",
    "stream_totals",
    "svg",
    "table_3_1",
    "time_cells",
    "times_table",
    "tree_diagram",
]
