"""Claims about errors of successive models: what would support and what would refute them."""

import pandas as pd


def errors(batch, online, dataset="synthetic2", base_model="naive_bayes", n_splits=2):
    rows = [
        (repetition, algorithm, i, e)
        for repetition in range(n_splits)
        for algorithm, sequence in (("boosting", batch), ("online_boosting", online))
        for i, e in enumerate(sequence, 1)
    ]
    frame = pd.DataFrame(rows, columns=["repetition", "algorithm", "model", "error"])
    return frame.assign(dataset=dataset, base_model=base_model)


RISING = [0.04 * m for m in range(1, 11)]

FALLING = RISING[::-1]

EVIDENCE = {"C114": ((errors(RISING, RISING),), (errors(RISING, FALLING),))}

COUNTER = {"C115": lambda errors: errors.assign(error=errors["error"].where(errors["model"] > 1, 0.9))}
