"""The Sphinx extension inserts exactly the values that the notebooks glued."""

import nbformat
import oza_book
import pytest


def write(folder, stem, **values):
    outputs = [
        nbformat.v4.new_output(
            "display_data",
            data={oza_book.GLUED: text},
            metadata={"scrapbook": {"name": name, "mime_prefix": "application/papermill.record/"}},
        )
        for name, text in values.items()
    ]
    cell = nbformat.v4.new_code_cell("glue", outputs=outputs, execution_count=1)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / f"{stem}.ipynb")


def test_a_glued_value_is_found_by_its_name(tmp_path):
    write(tmp_path, "a", gap="0.125", counts="{'holds': 3}", figure="<Figure size 640x480>")
    runs = oza_book.read_runs(tmp_path)
    assert oza_book.look_up(runs, "gap") == 0.125
    assert oza_book.look_up(runs, "a::counts") == {"holds": 3}
    with pytest.raises(LookupError, match="no executed notebook glued 'figure'"):
        oza_book.look_up(runs, "figure")
