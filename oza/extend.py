"""What base models and ensembles outside this package are made of.

A base model is a NamedTuple of arrays, the state of M models, with an implementation of `learn` and
`classify`, and a subclass of `SingleModel`. An online ensemble is a NamedTuple, the state of an algorithm,
with an implementation of `step`, and a subclass of `OnlineEnsemble`. The page "Extending" of the book has
worked examples of both, and explains the methods to override.

Compilation
    `kernel` compiles a function; `implements` registers one as the implementation of an operation for a
    state; `Operation` makes a function that others can implement.
Operations of base models
    Required are `learn` and `classify`. The others have a default: `learn_each`, `classify_each`,
    `prepare`, `classify_block`, `class_shares`, `classify_and_share_each`, `learn_scaled`, `learn_batch`,
    `learn_batch_each`, `learn_run`, `test_and_learn_alone`,
    `mark_correct`, `reset`.
Operations of online algorithms
    Required is `step`. The others have a default: `settle`, `winner`, `vote_weights`, `vote`; those of an
    algorithm whose models can learn a block one after the other are `end_of_block`, `open_block`,
    `learn_block` and `close_block`.
Votes
    `count_winner` and `weigh_winner` for one example, in kernels; `count_votes` and `weigh_votes` for many.
Random draws
    `row_key`, `draw_in_row`, `second_draw_in_row`, `uniform`, `normal`, `integer_below`, `poisson` and
    `poisson_each` in kernels; `key_of` outside.
Arithmetic with the same bits on every processor
    `exp`, `log`, `sigmoid`, `x_log_x`.
Classes to inherit from
    `BaseModel`, `SingleModel`, `VotingEnsemble`, `OnlineEnsemble`, `AveragingEnsemble`.
What they pass and expect
    `Examples`, `LabelledExamples`, `Schema`, `Growth`; `transferred` moves a state into a larger one.
What a user sets
    `parameters` makes annotated attributes parameters; `check_count` and `check_choice` validate them.
"""

from .classifier.contract import (
    BaseModel,
    Growth,
    class_shares,
    classify,
    classify_and_share_each,
    classify_block,
    classify_each,
    learn,
    learn_batch,
    learn_batch_each,
    learn_each,
    learn_run,
    learn_scaled,
    mark_correct,
    prepare,
    reset,
    test_and_learn_alone,
    transferred,
)
from .classifier.parameters import parameters
from .columns.examples import Examples, LabelledExamples
from .columns.schema import Schema
from .columns.validation import check_choice, check_count
from .ensembles.algorithm import settle, step, vote, vote_weights, winner
from .ensembles.averaging import AveragingEnsemble
from .ensembles.blocks import close_block, end_of_block, learn_block, open_block
from .ensembles.votes import count_votes, count_winner, weigh_votes, weigh_winner
from .ensembles.voting import OnlineEnsemble, VotingEnsemble
from .kernels.arithmetic import exp, log, sigmoid, x_log_x
from .kernels.compile import Operation, implements, kernel
from .kernels.random import (
    draw_in_row,
    integer_below,
    key_of,
    normal,
    poisson,
    poisson_each,
    row_key,
    second_draw_in_row,
    uniform,
)
from .models.single import SingleModel

__all__ = [
    "AveragingEnsemble",
    "BaseModel",
    "Examples",
    "Growth",
    "LabelledExamples",
    "OnlineEnsemble",
    "Operation",
    "Schema",
    "SingleModel",
    "VotingEnsemble",
    "check_choice",
    "check_count",
    "class_shares",
    "classify",
    "classify_and_share_each",
    "classify_block",
    "classify_each",
    "close_block",
    "count_votes",
    "count_winner",
    "draw_in_row",
    "end_of_block",
    "exp",
    "implements",
    "integer_below",
    "kernel",
    "key_of",
    "learn",
    "learn_batch",
    "learn_batch_each",
    "learn_block",
    "learn_each",
    "learn_run",
    "learn_scaled",
    "log",
    "mark_correct",
    "normal",
    "open_block",
    "parameters",
    "poisson",
    "poisson_each",
    "prepare",
    "reset",
    "row_key",
    "second_draw_in_row",
    "settle",
    "sigmoid",
    "step",
    "test_and_learn_alone",
    "transferred",
    "uniform",
    "vote",
    "vote_weights",
    "weigh_votes",
    "weigh_winner",
    "winner",
    "x_log_x",
]
