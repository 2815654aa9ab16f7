"""Pages of the book: which claims each of them shows, and which tables of printed numbers it compares."""

#: For each page the claims that it shows, in its order; each claim has one page.
CLAIMS: dict[str, tuple[str, ...]] = {
    page: tuple(claims.split())
    for page, claims in {
        "active-learning": "C127",
        "adaboost-promises": "C030 C094 C095 C096 C097",
        "adaboost": "C005 C028 C029 C090 C091 C092 C093",
        "adwin": "C138 C139",
        "averages": "C124 C131 C133 C142",
        "bagging-aggregation": "C052",
        "bagging-convergence": "C008 C059 C061",
        "bagging-decision-stumps": "C072 C073",
        "bagging-decision-trees": "C066 C067 C068 C069",
        "bagging-naive-bayes": "C070 C108 C071",
        "bagging-neural-networks": "C032 C010 C074 C075 C076 C077 C078 C079 C081 C082 C083",
        "bagging-summary": "C009 C106 C080 C062 C063 C064",
        "base-model-errors": "C114 C115",
        "base-models": "C031",
        "boosting-convergence": "C018 C104 C105",
        "boosting-results": "C012 C013 C014 C015 C107 C111 C112",
        "boosting-times": "C016 C017 C084 C118",
        "calendar": "C011 C085 C086 C087 C088 C089",
        "combining-models": "C019 C020 C021 C022 C023 C024 C025 C026 C027 C098",
        "copies-of-an-example": "C007 C053 C054",
        "datasets": "C065",
        "decorate": "C126",
        "diversity": "C125 C128 C135 C136 C137",
        "drift": "C130",
        "earlier-online-ensembles": "C038 C039 C046 C048",
        "earlier-results": "C040 C041 C042 C043 C044 C045 C047 C049 C050 C051 C146",
        "experts": "C033 C034 C035 C036 C037",
        "exponential-loss": "C132 C134 C145",
        "kdd2001": "C123 C110 C116 C119 C120 C121 C122",
        "leveraging-bagging": "C129 C140",
        "mean-proportions": "C055 C056 C057 C058 C060",
        "netflix-prize": "C144",
        "online-boosting": "C099 C100 C101 C102 C103 C109 C113 C117",
        "other-ensembles": "C141",
        "schapire-toy": "C143",
        "why-ensembles": "C001 C002 C003 C004 C006",
    }.items()
}

#: For each page that compares printed numbers, the tables whose verdicts are counted.
TABLES: dict[str, tuple[str, ...]] = {
    "bagging-decision-stumps": ("3.5",),
    "bagging-decision-trees": ("3.3",),
    "bagging-naive-bayes": ("3.4",),
    "bagging-neural-networks": ("3.6", "3.7"),
    "datasets": ("3.1",),
}
