"""Tables and figures of the book: frames of `reproduction.tables` in, table or figure out."""

from .accuracy import (
    accuracy_table,
    against_batch_table,
    batch_online_table,
    coverage,
    differing_marks,
    significance_table,
)
from .benchmarks import benchmark_plot, ratio_text
from .calendar import calendar_table
from .claims import cell_counts, claim_cards, claim_line, verdict_text
from .conformance import ConformanceTable, losses
from .curves import accuracy_curves, accuracy_means, error_curves, time_curves
from .dataset_sizes import table_3_1
from .diagrams import hoeffding_tree_diagram, id3_diagram, tree_diagram
from .differences import difference_map, difference_text, differing_table, signed_rank_table
from .dot_plots import comparison_dots, difference_dots
from .equality import outcomes_by_margin, tried_on_print, verdicts_by_margin
from .lectures import (
    bootstrap_boxes,
    curves_by_dataset,
    decorate_panels,
    picture_panels,
    plane_shades,
    round_curves,
    toy_panels,
    unsure_panels,
)
from .open_questions import counted_gains, gains_table
from .planes import plane_panels
from .prequential import prequential_curves
from .program_of_2001 import beside_the_program
from .repairs import (
    line_table,
    outcome_table,
    remaining_table,
    stream_table,
)
from .rule_changes import (
    changed_rules,
    changes_table,
    direction_counts,
    outcome_course,
    second_audit,
    verdicts_by_former_rules,
)
from .scatter import comparison_scatter, error_scatter
from .scorecard import (
    Scorecard,
    claim_list,
    judged_claims,
    scorecard,
    scorecard_record,
    scorecard_text,
    shares_in_percent,
)
from .times import times_table

__all__ = [
    "ConformanceTable",
    "Scorecard",
    "accuracy_curves",
    "accuracy_means",
    "accuracy_table",
    "against_batch_table",
    "batch_online_table",
    "benchmark_plot",
    "beside_the_program",
    "bootstrap_boxes",
    "calendar_table",
    "cell_counts",
    "changed_rules",
    "changes_table",
    "claim_cards",
    "claim_line",
    "claim_list",
    "comparison_dots",
    "comparison_scatter",
    "counted_gains",
    "coverage",
    "curves_by_dataset",
    "decorate_panels",
    "difference_dots",
    "difference_map",
    "difference_text",
    "differing_marks",
    "differing_table",
    "direction_counts",
    "error_curves",
    "error_scatter",
    "gains_table",
    "hoeffding_tree_diagram",
    "id3_diagram",
    "judged_claims",
    "line_table",
    "losses",
    "outcome_course",
    "outcome_table",
    "outcomes_by_margin",
    "picture_panels",
    "plane_panels",
    "plane_shades",
    "prequential_curves",
    "ratio_text",
    "remaining_table",
    "round_curves",
    "scorecard",
    "scorecard_record",
    "scorecard_text",
    "second_audit",
    "shares_in_percent",
    "signed_rank_table",
    "significance_table",
    "stream_table",
    "table_3_1",
    "time_curves",
    "times_table",
    "toy_panels",
    "tree_diagram",
    "tried_on_print",
    "unsure_panels",
    "verdict_text",
    "verdicts_by_former_rules",
    "verdicts_by_margin",
]
