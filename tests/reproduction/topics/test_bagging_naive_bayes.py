"""Claims about bagged Naive Bayes: what would support and what would refute them."""

from tests.reproduction.claims.contrasts import accuracies, apart

BETTER = {("set3", "online_bagging"): "better"}

EVIDENCE = {"C108": ((accuracies(welch="worse"),), (accuracies(welch=BETTER),))}

COUNTER = {"C070": apart, "C071": lambda cells: cells.assign(other_mark="better")}
