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

from .classifier.contract import BaseModel as BaseModel
from .classifier.contract import Growth as Growth
from .classifier.contract import class_shares as class_shares
from .classifier.contract import classify as classify
from .classifier.contract import classify_and_share_each as classify_and_share_each
from .classifier.contract import classify_block as classify_block
from .classifier.contract import classify_each as classify_each
from .classifier.contract import learn as learn
from .classifier.contract import learn_batch as learn_batch
from .classifier.contract import learn_batch_each as learn_batch_each
from .classifier.contract import learn_each as learn_each
from .classifier.contract import learn_run as learn_run
from .classifier.contract import learn_scaled as learn_scaled
from .classifier.contract import mark_correct as mark_correct
from .classifier.contract import prepare as prepare
from .classifier.contract import reset as reset
from .classifier.contract import test_and_learn_alone as test_and_learn_alone
from .classifier.contract import transferred as transferred
from .classifier.parameters import parameters as parameters
from .columns.examples import Examples as Examples
from .columns.examples import LabelledExamples as LabelledExamples
from .columns.schema import Schema as Schema
from .columns.validation import check_choice as check_choice
from .columns.validation import check_count as check_count
from .ensembles.algorithm import settle as settle
from .ensembles.algorithm import step as step
from .ensembles.algorithm import vote as vote
from .ensembles.algorithm import vote_weights as vote_weights
from .ensembles.algorithm import winner as winner
from .ensembles.averaging import AveragingEnsemble as AveragingEnsemble
from .ensembles.blocks import close_block as close_block
from .ensembles.blocks import end_of_block as end_of_block
from .ensembles.blocks import learn_block as learn_block
from .ensembles.blocks import open_block as open_block
from .ensembles.votes import count_votes as count_votes
from .ensembles.votes import count_winner as count_winner
from .ensembles.votes import weigh_votes as weigh_votes
from .ensembles.votes import weigh_winner as weigh_winner
from .ensembles.voting import OnlineEnsemble as OnlineEnsemble
from .ensembles.voting import VotingEnsemble as VotingEnsemble
from .kernels.arithmetic import exp as exp
from .kernels.arithmetic import log as log
from .kernels.arithmetic import sigmoid as sigmoid
from .kernels.arithmetic import x_log_x as x_log_x
from .kernels.compile import Operation as Operation
from .kernels.compile import implements as implements
from .kernels.compile import kernel as kernel
from .kernels.random import draw_in_row as draw_in_row
from .kernels.random import integer_below as integer_below
from .kernels.random import key_of as key_of
from .kernels.random import normal as normal
from .kernels.random import poisson as poisson
from .kernels.random import poisson_each as poisson_each
from .kernels.random import row_key as row_key
from .kernels.random import second_draw_in_row as second_draw_in_row
from .kernels.random import uniform as uniform
from .models.single import SingleModel as SingleModel

__all__ = [name for name in dir() if not name.startswith("_")]
