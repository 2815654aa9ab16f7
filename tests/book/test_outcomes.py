"""What a page says in words about the outcome of a claim is what stands on record."""

import json
import re

from reproduction.claims.verdicts import recorded_verdicts
from reproduction.paths import DATA
from tools.run_notebooks import NOTEBOOKS, TOP

#: A claim and an outcome in one clause; "holds if" states a rule.
SAID = re.compile(
    r"\b(C\d{3})\b(?:[^.;:\n|]|\n(?!\n)){0,40}?"
    r"\b(holds?|fails?|failed|not reproduced|undecided|untestable)\b"
    r"(?!\s+(?:if|where|when|or)\b)"
)
OUTCOME = {"hold": "holds", "fail": "fails", "failed": "fails"}
HISTORY = {"referee.md", "rule-changes.ipynb"}  # they tell what the outcomes once were


def test_no_page_contradicts_the_record():
    on_record = recorded_verdicts(DATA / "results").set_index("claim")["outcome"]
    written = [path for path in (TOP / "book").rglob("*.md") if "executed" not in path.parts]
    texts = {path.name: path.read_text(encoding="utf-8") for path in written}
    for path in NOTEBOOKS.glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        prose = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        texts[path.name] = "\n\n".join(prose)
    said = [(page, it) for page in texts.keys() - HISTORY for it in SAID.finditer(texts[page])]
    stated = [(p, it) for p, it in said if not re.search(r"\b(would|could|may|might|can|had)\b", it[0])]
    wrong = [(page, it[0]) for page, it in stated if on_record[it[1]] != OUTCOME.get(it[2], it[2])]
    assert stated and not wrong
