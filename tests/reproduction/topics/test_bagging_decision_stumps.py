"""Claims about bagged stumps: what would support and what would refute them."""

from tests.reproduction.claims.contrasts import EIGHT, accuracies, apart, better_on

EVIDENCE = {
    "C072": (
        (accuracies(EIGHT, better_on("promoters", "balance")),),
        (accuracies(EIGHT, better_on("promoters", "balance", "chess")),),
        (accuracies(EIGHT[1:], better_on("balance")),),
    )
}

COUNTER = {"C073": apart}
