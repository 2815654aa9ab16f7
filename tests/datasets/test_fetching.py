"""Files come from the mirror, the cache or the network; a fault leaves nothing behind."""

import gzip
import hashlib
from dataclasses import replace

import pooch  # noqa: F401  (before it is timed how soon a download fails)
import pytest

from oza.datasets import DataFile, DatasetUnavailableError, fetch_dataset, load_dataset, verify_dataset
from oza.datasets import fetch as _fetch


def body(content, length=None):
    """An answer with this content; `length` is what the header says of it."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content) if length is None else length))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def files_below(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_a_download_is_checked_cached_and_read(car, server, cache, car_text):
    server.answers["/archive/car.data"] = body(car_text)
    assert verify_dataset(car.name)[0].state == "missing"
    assert load_dataset(car.name).data.shape == (1728, 6)
    assert files_below(cache) == ["uci/car/car.data"]
    assert (cache / "uci/car/car.data").read_bytes() == car_text
    assert verify_dataset(car.name)[0].state == "cached"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda text: body(text[:9999], length=len(text)), "broke off"),
        (lambda text: body(text[:9999]), "has 9999 bytes, expected 51867"),
        (lambda text: body(text.replace(b"unacc", b"UNACC", 1)), "SHA-256 is .*, expected b703a9ac"),
        (lambda text: lambda handler: handler.send_error(404), "the server answered 404 Not Found"),
        (lambda text: lambda handler: handler.send_error(503), "the server answered 503"),
        (lambda text: lambda handler: handler.connection.close(), "no connection"),
    ],
    ids=["truncated", "short", "wrong checksum", "404", "503", "hangs up"],
)
def test_a_failed_download_says_what_to_do_and_leaves_nothing_behind(
    car, server, cache, car_text, answer, message
):
    server.answers["/archive/car.data"] = answer(car_text)
    with pytest.raises(DatasetUnavailableError, match=message) as caught:
        load_dataset(car.name)
    text = str(caught.value)
    assert f"{server.url}/archive/car.data" in text
    assert "OZA_DATA_MIRROR" in text and "uci/car/car.data" in text and str(cache) in text
    assert "`oza data fetch car-evaluation`" in text
    assert files_below(cache) == []


def test_an_interrupted_download_leaves_nothing_behind(car, server, cache, car_text, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    server.answers["/archive/car.data"] = body(car_text)
    monkeypatch.setattr(_fetch, "_fault", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch_dataset(car.name)
    assert files_below(cache) == []


def test_a_damaged_cached_file_is_replaced(car, server, cache, car_text):
    path = cache / "uci/car/car.data"
    path.parent.mkdir(parents=True)
    path.write_bytes(car_text[:-1])
    state = verify_dataset(car.name)[0]
    assert state.state == "damaged" and state.path == path
    assert state.fault == "has 51866 bytes, expected 51867"
    server.answers["/archive/car.data"] = body(car_text)
    assert fetch_dataset(car.name) == [path]
    assert path.read_bytes() == car_text


def test_a_damaged_file_is_named_when_there_is_no_other(car, cache):
    path = cache / "uci/car/car.data"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * 51867)
    with pytest.raises(DatasetUnavailableError) as caught:
        load_dataset(car.name)
    assert f"{path}: SHA-256 is " in str(caught.value) and "404" in str(caught.value)
    assert path.exists()


def test_the_mirror_comes_first(car, cache, car_text, monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_DATA_MIRROR", str(tmp_path / "mirror"))
    for root in (tmp_path / "mirror", cache):
        (root / "uci/car").mkdir(parents=True)
        (root / "uci/car/car.data").write_bytes(car_text)
    assert fetch_dataset(car.name) == [tmp_path / "mirror/uci/car/car.data"]
    assert verify_dataset(car.name)[0].state == "mirror"


def test_a_mirror_on_the_web_replaces_the_archive(car, server, car_text, monkeypatch):
    monkeypatch.setenv("OZA_DATA_URL", f"{server.url}/mirror/")
    server.answers["/mirror/uci/car/car.data"] = body(car_text)
    assert load_dataset(car.name).data.shape == (1728, 6)


def test_downloads_can_be_refused(car, server, cache, car_text, monkeypatch):
    monkeypatch.setenv("OZA_OFFLINE", "1")
    with pytest.raises(DatasetUnavailableError, match="not downloaded, because OZA_OFFLINE is set"):
        load_dataset(car.name)
    assert not cache.exists()
    monkeypatch.setenv("OZA_OFFLINE", "0")
    server.answers["/archive/car.data"] = body(car_text)
    assert load_dataset(car.name).data.shape == (1728, 6)


def test_generated_sets_need_no_file(cache):
    for name in ("balance", "car-evaluation", "nursery", "synthetic1"):
        assert fetch_dataset(name) == []
        assert [state.state for state in verify_dataset(name)] == ["generated"]
        load_dataset(name)
    assert not cache.exists()


def test_an_excerpt_is_read_from_the_full_file(car, register, server, car_text):
    """As `covertype-head` is from the full Covertype file."""
    full = gzip.compress(car_text)
    file = DataFile(
        "all", 100, "uci/car/car.full.gz", f"{server.url}/full.gz", sha256=sha256(full), excerpt=True
    )
    register(replace(car, files=(replace(car.files[0], url=""), file)))
    server.answers["/full.gz"] = body(full)
    excerpt = load_dataset(car.name)
    whole = load_dataset("balance")  # another set, so that nothing here can come from a memory
    assert excerpt.data.shape == (100, 6) and whole.data.shape == (625, 4)
    assert excerpt.frame is None and excerpt.data[-1].tolist() == [0, 0, 3, 2, 0, 0]


def test_a_file_of_the_program_compress_is_read_and_its_text_checked(car, register, server, cache, car_text):
    """As the archive's file of Connect-4 is; of so few characters it has nine bits for each."""
    text = b"".join(car_text.splitlines(keepends=True)[:6])
    bits = sum(character << 9 * place for place, character in enumerate(text))
    packed = b"\x1f\x9d\x90" + bits.to_bytes((9 * len(text) + 7) // 8, "little")
    file = DataFile("all", 6, "uci/car/car.data.Z", f"{server.url}/car.Z", sha256_of_text=sha256(text))
    register(replace(car, files=(file,)))
    server.answers["/car.Z"] = body(packed)
    assert load_dataset(car.name).data.shape == (6, 6)
    (cache / file.path).write_bytes(b"no such format")
    assert "cannot be decompressed" in verify_dataset(car.name)[0].fault
