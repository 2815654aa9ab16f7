"""Files come from the mirror, the cache or the network; a fault leaves nothing behind."""

import gzip
import hashlib
import os
import socket
import threading
import time
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler

import numpy as np
import pooch  # noqa: F401  (before it is timed how soon a download fails)
import pytest

from oza.datasets import (
    DataFile,
    DatasetUnavailableError,
    dataset_info,
    fetch_dataset,
    load_dataset,
    verify_dataset,
)
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


def test_what_is_cached_is_not_asked_for_again(car, server, cache, car_text):
    server.answers["/archive/car.data"] = body(car_text)
    paths = fetch_dataset(car.name)
    del server.answers["/archive/car.data"]
    assert fetch_dataset(car.name) == paths == [cache / "uci/car/car.data"]


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


def test_a_refused_connection_fails_at_once_and_leaves_nothing_behind(car, register, cache):
    with socket.socket() as silent:  # bound, so that no other process listens there
        silent.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/car.data"
        register(replace(car, files=(replace(car.files[0], url=url),)))
        began = time.monotonic()
        with pytest.raises(DatasetUnavailableError, match=r"no connection.*refused"):
            load_dataset(car.name)
    assert time.monotonic() - began < 5
    assert files_below(cache) == []


def test_a_silent_server_is_not_waited_for_long(car, server, cache, monkeypatch):
    monkeypatch.setattr(_fetch, "_READ", 0.2)
    gave_up = threading.Event()
    server.answers["/archive/car.data"] = lambda handler: gave_up.wait()
    try:
        with pytest.raises(DatasetUnavailableError, match="no answer"):
            load_dataset(car.name)
    finally:
        gave_up.set()
    assert files_below(cache) == []


def test_an_interrupted_download_leaves_nothing_behind(car, server, cache, car_text, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    server.answers["/archive/car.data"] = body(car_text)
    monkeypatch.setattr(_fetch, "_fault", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch_dataset(car.name)
    assert files_below(cache) == []


def test_a_cache_that_cannot_be_written_is_named(car, server, car_text, monkeypatch, tmp_path):
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("OZA_CACHE", str(tmp_path / "a file"))
    server.answers["/archive/car.data"] = body(car_text)
    with pytest.raises(DatasetUnavailableError, match="a file"):
        load_dataset(car.name)


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


def test_a_mirror_on_the_web_replaces_the_archive(car, server, cache, car_text, monkeypatch):
    monkeypatch.setenv("OZA_DATA_URL", f"{server.url}/mirror/")
    server.answers["/mirror/uci/car/car.data"] = body(car_text)
    assert load_dataset(car.name).target_names == ["unacc", "acc", "good", "vgood"]
    assert files_below(cache) == ["uci/car/car.data"]


def test_downloads_can_be_refused(car, server, cache, car_text, monkeypatch):
    server.answers["/archive/car.data"] = lambda handler: pytest.fail("asked for the file")
    monkeypatch.setenv("OZA_OFFLINE", "1")
    with pytest.raises(DatasetUnavailableError, match="not downloaded, because OZA_OFFLINE is set"):
        load_dataset(car.name)
    assert not cache.exists()
    (cache / "uci/car").mkdir(parents=True)
    (cache / "uci/car/car.data").write_bytes(car_text)
    assert load_dataset(car.name).data.shape == (1728, 6)  # what is there is read


def test_downloads_are_not_refused_by_zero(car, server, cache, car_text, monkeypatch):
    server.answers["/archive/car.data"] = body(car_text)
    monkeypatch.setenv("OZA_OFFLINE", "0")
    assert load_dataset(car.name).data.shape == (1728, 6)


def test_generated_sets_need_no_file(cache):
    for name in ("balance", "car-evaluation", "nursery", "synthetic1"):
        assert fetch_dataset(name) == []
        assert [state.state for state in verify_dataset(name)] == ["generated"]
        load_dataset(name)
    assert not cache.exists()


def test_verifying_never_downloads(car, server, cache, car_text):
    asked = []
    server.answers["/archive/car.data"] = lambda handler: asked.append(1)
    assert verify_dataset(car.name)[0].state == "missing"
    assert not asked and not cache.exists()


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


def compress(text):
    """What the program `compress` would write, for fewer than 250 characters: nine bits for each."""
    assert len(text) < 250
    bits = sum(character << 9 * place for place, character in enumerate(text))
    return b"\x1f\x9d\x90" + bits.to_bytes((9 * len(text) + 7) // 8, "little")


def test_a_file_of_the_program_compress_is_read_and_its_text_checked(car, register, server, cache, car_text):
    """As the archive's file of Connect-4 is."""
    text = b"".join(car_text.splitlines(keepends=True)[:6])
    file = DataFile("all", 6, "uci/car/car.data.Z", f"{server.url}/car.Z", sha256_of_text=sha256(text))
    register(replace(car, files=(file,)))
    server.answers["/car.Z"] = body(compress(text))
    assert load_dataset(car.name).data.shape == (6, 6)
    assert verify_dataset(car.name)[0].state == "cached"
    (cache / "uci/car/car.data.Z").write_bytes(compress(text.replace(b"small", b"SMALL")))
    assert "SHA-256 of the text is" in verify_dataset(car.name)[0].fault
    (cache / "uci/car/car.data.Z").write_bytes(b"no such format")
    assert "cannot be decompressed" in verify_dataset(car.name)[0].fault


def test_without_gzip_a_compressed_file_says_what_is_missing(car, register, server, monkeypatch):
    text = b"x\n"
    file = DataFile("all", 1, "uci/car/car.data.Z", f"{server.url}/car.Z", sha256_of_text=sha256(text))
    register(replace(car, files=(file,)))
    server.answers["/car.Z"] = body(compress(text))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DatasetUnavailableError, match="takes the program `gzip`; install it"):
        load_dataset(car.name)


def test_the_git_object_id_is_the_one_that_git_gives():
    hello = DataFile("all", 1, "hello", git_blob="ce013625030ba8dba906f756967f9e9ca394464a")
    assert _fetch._fault(b"hello\n", hello) == ""
    assert "git object id is" in _fetch._fault(b"Hello\n", hello)


def test_both_census_training_files_give_the_same_examples(cache, register, monkeypatch, tmp_path):
    """The mirror's has no instance weight, the archive's has; the catalogue drops it."""
    census = dataset_info("census-income")
    monkeypatch.setenv("OZA_DATA_MIRROR", str(tmp_path))
    (tmp_path / "uci/census-income").mkdir(parents=True)
    loaded = []
    for file, weight in zip(census.files[:2], ("?", "1700.09"), strict=True):
        lines = []
        for k in (0, 1):
            other = {"dropped": weight, "numeric": str(k)}
            lines.append(", ".join(other.get(c.kind) or c.values[k] for c in census.columns) + "\n")
        content = gzip.compress("".join(lines).encode())
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        check = {"git_blob": blob} if file.git_blob else {"sha256": sha256(content), "bytes": len(content)}
        register(replace(census, files=(replace(file, **check), census.files[2])))
        path = tmp_path / file.path
        path.write_bytes(content)
        loaded.append(load_dataset("census-income", subset="train"))
        path.unlink()
    assert loaded[0].data.shape == (2, 40)
    assert np.array_equal(loaded[0].data, loaded[1].data)
    assert np.array_equal(loaded[0].target, loaded[1].target)


def test_the_full_covertype_says_where_to_put_it(cache, monkeypatch):
    monkeypatch.setenv("OZA_DATA_URL", "http://127.0.0.1:9")
    with pytest.raises(DatasetUnavailableError, match=r"uci/covtype/covtype\.data\.gz"):
        load_dataset("covertype")


@pytest.mark.archive
@pytest.mark.parametrize(
    "name", ["promoters", "soybean-large", "connect4", "census-income", "covertype-head"]
)
def test_a_set_downloaded_from_a_served_mirror_equals_the_mirrors(name, request, monkeypatch):
    mirror = os.environ["OZA_DATA_MIRROR"]
    expected = load_dataset(name)
    cache, server = (request.getfixturevalue(fixture) for fixture in ("cache", "server"))
    server.RequestHandlerClass = partial(QuietFiles, directory=mirror)
    monkeypatch.setenv("OZA_DATA_URL", server.url)
    downloaded = load_dataset(name)
    assert np.array_equal(downloaded.data, expected.data)
    assert np.array_equal(downloaded.target, expected.target)
    assert len(files_below(cache)) == len(dataset_info(name).parts)


class QuietFiles(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
