"""Fixtures for tests against a running program; without one they are skipped."""

import os
from collections.abc import Iterator

import pytest
from scripted import Script, serve


@pytest.fixture
def program() -> dict[str, str]:
    given = {name: os.environ.get(name, "") for name in ("CROSSBOOK_URL", "CROSSBOOK_KEY", "CLOB")}
    if not all(given.values()):
        pytest.skip("CROSSBOOK_URL, CROSSBOOK_KEY and CLOB name no running program")
    return given


@pytest.fixture
def script() -> Iterator[Script]:
    with serve() as served:
        yield served
