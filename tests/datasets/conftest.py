"""A machine without data, a data set that must be fetched, and a web server to fetch it from."""

import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from oza.datasets import dataset_info
from oza.datasets import load as _load
from oza.datasets.catalogue import catalogue
from oza.datasets.generate import generated_text


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder, no mirror, and cleared in-process caches."""
    proxies = ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")
    for variable in ("OZA_DATA_MIRROR", "OZA_DATA_URL", "OZA_OFFLINE", *proxies):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("OZA_CACHE", str(tmp_path / "cache"))
    _load._table.cache_clear()
    yield tmp_path / "cache" / "data"
    _load._table.cache_clear()


@pytest.fixture
def server():
    """A web server on this machine: `answers[path]` is a function of the request handler."""
    answers = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path in answers:
                answers[self.path](self)
            else:
                self.send_error(404)

        def log_message(self, *_):
            pass

    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.answers = answers
    web.handle_error = lambda *_: None  # a client that hangs up is part of the tests
    web.url = f"http://127.0.0.1:{web.server_port}"
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield web
    web.shutdown()
    web.server_close()
    thread.join()


@pytest.fixture
def car_text():
    return generated_text(dataset_info("car-evaluation"))


@pytest.fixture
def register(monkeypatch):
    """Add an entry to the catalogue for the duration of a test."""

    def put(info):
        monkeypatch.setitem(catalogue(), info.name, info)
        return info

    return put


@pytest.fixture
def car(cache, server, register):
    """Car Evaluation, as if it could not be generated, at an address of the local server."""
    info = dataset_info("car-evaluation")
    file = replace(info.files[0], url=f"{server.url}/archive/car.data")
    return register(replace(info, generator="", files=(file,)))
