"""Error of an average of correlated models: Tumer and Ghosh's formula (thesis section 2.2.1)."""


def averaged_error(n_models: int, correlation: float) -> float:
    """Added error of the average of M models, in units of that of one model: (1 + ρ(M − 1))/M.

    The errors of any two have the correlation ρ, from −1/(M − 1) to 1.

    >>> averaged_error(5, 1), averaged_error(5, 0), averaged_error(5, -1 / 4)
    (1.0, 0.2, 0.0)
    """
    total = 1 + correlation * (n_models - 1)
    if not -1e-12 <= total <= n_models:
        raise ValueError(f"{n_models} errors cannot have the correlation {correlation} with one another")
    return max(total, 0.0) / n_models
