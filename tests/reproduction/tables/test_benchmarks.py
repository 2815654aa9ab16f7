"""What the benchmark recorded becomes cells, the aims among them."""

import json

from reproduction.tables import benchmark_cells, read_benchmarks


def row(rate, peers, least_rate=None, most_seconds=None):
    return {
        "work": "work",
        "task": "learn",
        "dataset": "data",
        "ours": {"n_examples": 1000, "examples_per_second": rate},
        "peers": {
            name: {"examples_per_second": peer, "target": target} for name, (peer, target) in peers.items()
        },
        "least_rate": least_rate,
        "most_seconds": most_seconds,
    }


RECORD = {
    "rows": [
        row(2000.0, {"MOA": (50.0, 35), "River": (1.0, None)}),
        row(100.0, {}, most_seconds=20),
        row(100.0, {"peer": (400.0, 0.5)}, least_rate=300),
        row(7.0, {}),
    ]
}


def test_every_comparison_has_a_cell_and_every_aim_a_rate():
    cells = benchmark_cells(RECORD)
    assert list(cells["peer"]) == ["MOA", "River", "", "peer", "", ""]
    assert list(cells["target"].fillna(0)) == [50.0 * 35, 0, 50.0, 200.0, 300.0, 0]
    assert list(cells["ratio"].fillna(0)) == [40.0, 2000.0, 0, 0.25, 0, 0]


def test_no_record_is_none(tmp_path):
    path = tmp_path / "benchmarks.json"
    assert read_benchmarks(path) is None
    path.write_text(json.dumps(RECORD))
    assert read_benchmarks(path) == RECORD
