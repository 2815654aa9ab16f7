"""Agrawal: people who ask for a loan, and ten rules by which they get it."""

from dataclasses import dataclass

from ..columns.validation import check_integer, check_number
from ..kernels.compile import kernel
from ..kernels.random import draw_in_row, integer_below, row_key, uniform
from .base import Attribute, Stream


def _numbered(word: str, n: int) -> tuple[str, ...]:
    return tuple(f"{word}{i}" for i in range(1, n + 1))


@dataclass(frozen=True)
class Agrawal(Stream):
    """Agrawal: nine facts about a person, and one of ten rules that put the person into group A or B.

    Parameters
    ----------
    function : int, default=1
        Which rule, from 1 to 10. All use the same people.
    perturbation : float, default=0.05
        After the rule is applied, each number is moved by up to this share of its range, up or down, and
        stays within its range.
    random_state : int, default=0
        Seed, 0 or greater.

    Attributes
    ----------
    attributes, class_names : tuple
        What columns and classes mean.
    bayes_accuracy : float or None
        1 without perturbation, otherwise not known.

    Notes
    -----
    Columns: salary, 20,000 to 150,000; commission, 0 for a salary from 75,000 on, else 10,000 to 75,000;
    age, a whole number from 20 to 80; elevel, one of five levels of education; car, one of 20;
    zipcode, one of 9; hvalue, the value of the house, from half to one and a half times
    100,000 (9 - zipcode); hyears, whole years from 1 to 30; loan, up to 500,000. A perturbed house keeps to
    the range of its zipcode; MOA cuts its value at 135,000.

    References
    ----------
    R. Agrawal, T. Imielinski, A. Swami, "Database mining: a performance perspective", *IEEE Transactions on
    Knowledge and Data Engineering* 5, 1993.

    Examples
    --------
    >>> from oza.streams import Agrawal
    >>> stream = Agrawal(function=1, perturbation=0)
    >>> X, y = stream[:1000]
    >>> age = X[:, stream.feature_names.index("age")]
    >>> bool((y == ((age >= 40) & (age < 60))).all())
    True
    """

    function: int = 1
    perturbation: float = 0.05
    random_state: int = 0

    #: Three nominal columns among six numeric ones.
    attributes = (
        *(Attribute(name) for name in ("salary", "commission", "age")),
        Attribute("elevel", tuple(f"level{i}" for i in range(5))),
        Attribute("car", _numbered("car", 20)),
        Attribute("zipcode", _numbered("zipcode", 9)),
        *(Attribute(name) for name in ("hvalue", "hyears", "loan")),
    )
    #: The two groups.
    class_names = ("group A", "group B")

    def __post_init__(self):
        """Refuse parameters out of range."""
        check_integer("function", self.function, 1, 10)
        check_number("perturbation", self.perturbation, 0, 1, ends="[]")
        check_integer("random_state", self.random_state, 0)

    @property
    def bayes_accuracy(self):
        """Accuracy of the best classifier there is, where it is known."""
        return 1.0 if self.perturbation == 0 else None

    def _draw(self, rows, X, y):
        _draw_agrawal(self._key, rows, self.function, float(self.perturbation), X, y)


@kernel
def _between(low, high, bits):
    return low + (high - low) * uniform(bits)


@kernel
def _moved(value, low, high, share, bits):
    """A value moved by up to a share of its range, but not beyond it."""
    value += (high - low) * share * (2.0 * uniform(bits) - 1.0)
    return min(max(value, low), high)


@kernel
def _draw_agrawal(key, rows, function, share, X, y):
    for i in range(len(rows)):
        row = row_key(key, rows[i])
        salary = _between(20_000.0, 150_000.0, draw_in_row(row, 0))
        commission = 0.0 if salary >= 75_000.0 else _between(10_000.0, 75_000.0, draw_in_row(row, 1))
        age = 20.0 + integer_below(61, row, 2)
        level = integer_below(5, row, 3)
        X[i, 3] = level
        X[i, 4] = integer_below(20, row, 4)
        X[i, 5] = integer_below(9, row, 5)
        price = 100_000.0 * (9.0 - X[i, 5])
        house = _between(0.5 * price, 1.5 * price, draw_in_row(row, 6))
        years = 1.0 + integer_below(30, row, 7)
        loan = _between(0.0, 500_000.0, draw_in_row(row, 8))
        y[i] = not _is_in_group_a(function, salary, commission, age, level, house, years, loan)
        if share > 0.0:
            salary = _moved(salary, 20_000.0, 150_000.0, share, draw_in_row(row, 9))
            if commission > 0.0:
                commission = _moved(commission, 10_000.0, 75_000.0, share, draw_in_row(row, 10))
            age = float(round(_moved(age, 20.0, 80.0, share, draw_in_row(row, 11))))
            house = _moved(house, 0.5 * price, 1.5 * price, share, draw_in_row(row, 12))
            years = float(round(_moved(years, 1.0, 30.0, share, draw_in_row(row, 13))))
            loan = _moved(loan, 0.0, 500_000.0, share, draw_in_row(row, 14))
        X[i, 0], X[i, 1], X[i, 2], X[i, 6], X[i, 7], X[i, 8] = salary, commission, age, house, years, loan


@kernel
def _is_in_group_a(function, salary, commission, age, level, house, years, loan):
    third = 0 if age < 40 else 1 if age < 60 else 2  # young, middle-aged, old
    if function == 1:
        return third != 1
    if function == 2:
        return _is_within(salary, (50_000.0, 75_000.0, 25_000.0)[third], 50_000.0)
    if function == 3:
        return _is_schooled(level, third)
    if function == 4:
        low = (25_000.0, 50_000.0, 50_000.0) if _is_schooled(level, third) else (50_000.0, 75_000.0, 25_000.0)
        return _is_within(salary, low[third], 50_000.0)
    if function == 5:
        fits = _is_within(salary, (50_000.0, 75_000.0, 25_000.0)[third], 50_000.0)
        low = (100_000.0, 200_000.0, 300_000.0) if fits else (200_000.0, 300_000.0, 100_000.0)
        return _is_within(loan, low[third], 200_000.0)
    if function == 6:
        return _is_within(salary + commission, (50_000.0, 75_000.0, 25_000.0)[third], 50_000.0)
    disposable = 2.0 * (salary + commission) / 3.0
    if function == 7:
        return disposable - loan / 5.0 - 20_000.0 > 0.0
    disposable -= 5_000.0 * level
    if function == 8:
        return disposable - 20_000.0 > 0.0
    if function == 9:
        return disposable - loan / 5.0 - 10_000.0 > 0.0
    equity = house * (years - 20.0) / 10.0 if years >= 20.0 else 0.0
    return disposable + equity / 5.0 - 10_000.0 > 0.0


@kernel
def _is_within(amount, low, width):
    return low <= amount <= low + width


@kernel
def _is_schooled(level, third):
    """Levels 0 and 1 of the young, 1 to 3 of the middle-aged, 2 to 4 of the old."""
    return third <= level <= third + (1 if third == 0 else 2)
