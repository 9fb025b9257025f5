"""Against a running program: every example, and every operation without required parameters."""

import inspect
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from crossbook import ApiError, Crossbook
from crossbook.generated.contract import VERSION
from crossbook.generated.methods import Methods

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"


def run(name: str, program: dict[str, str], *words: str) -> list[str]:
    env = {**os.environ, **program, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, str(EXAMPLES / name), *words], env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_examples_read_a_market(program: dict[str, str]) -> None:
    lines = run("read.py", program, "polymarket")
    assert lines[1].startswith("bid 0.")
    assert lines[-2:] == ["12 markets", "404 OUTCOME_NOT_FOUND False"]


def test_examples_follow_books_and_the_surface(program: dict[str, str]) -> None:
    lines = run("stream.py", program)
    assert sum(line.startswith("book ") for line in lines) >= 10
    assert any(line.startswith("surface ") and line.endswith("stale: False") for line in lines)
    assert not any(line.startswith(("Gap", "Disconnected", "Dropped")) for line in lines)


def test_examples_read_the_tape(program: dict[str, str]) -> None:
    lines = run("history.py", program)
    assert any(line.endswith("tops of the book") and int(line.split()[0]) > 0 for line in lines)
    assert int(lines[-1].removeprefix("replayed ")) > 0


def test_examples_place_an_order(program: dict[str, str]) -> None:
    pytest.importorskip("eth_account")
    lines = run("order.py", program)
    assert lines[0].startswith("built ")
    assert lines[-1] == "filled"


def test_examples_verify_a_webhook(program: dict[str, str]) -> None:
    port = os.environ.get("CROSSBOOK_WEBHOOK_PORT") or pytest.skip("CROSSBOOK_WEBHOOK_PORT names no port that deliveries may go to")
    with Crossbook(program["CROSSBOOK_URL"], program["CROSSBOOK_KEY"]) as client:
        made = client.create_webhook({"url": f"http://127.0.0.1:{port}/", "events": ["execution.status.changed"]}).data
        env = {**os.environ, "CROSSBOOK_SECRET": made.secret, "PYTHONPATH": str(ROOT / "src")}
        receiver = subprocess.Popen([sys.executable, str(EXAMPLES / "webhook.py"), port], env=env, stdout=subprocess.PIPE, text=True)
        try:
            listens(int(port))
            unsigned = httpx.post(f"http://127.0.0.1:{port}/", content=b"{}")
            client.test_webhook(made.id)
            told = [receiver.stdout.readline() for _ in range(2)]
        finally:
            receiver.kill()
            receiver.wait()
            client.delete_webhook(made.id)
    assert unsigned.status_code == 401
    assert told[0].startswith("refused: ")
    event = "verified webhook.test "
    assert told[1].startswith(event)
    assert json.loads(told[1].removeprefix(event))["test"] is True


def listens(port: int) -> None:
    for _ in range(200):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens on {port}")


def test_what_asks_for_nothing_is_answered_in_its_shape(program: dict[str, str]) -> None:
    plain = [name for name, method in inspect.getmembers(Methods, inspect.isfunction) if not name.startswith("_") and asks_nothing(method)]
    assert len(plain) > 30
    with Crossbook(program["CROSSBOOK_URL"], program["CROSSBOOK_KEY"]) as client:
        for name in plain:
            try:
                answer = getattr(client, name)()
                if name.startswith("iter_"):
                    next(answer, None)
            except ApiError as error:
                # Families that this program does not serve, and paper accounts, which have keys of their own.
                refused = (403,) if "paper" in name else (404, 501, 503)
                assert error.status in refused, (name, error)
                assert not error.retryable, (name, error)
        told = client.get_open_api().json()
    assert told["info"]["version"] == VERSION


def asks_nothing(method: object) -> bool:
    parameters = list(inspect.signature(method).parameters.values())[1:]
    return all(each.default is not inspect.Parameter.empty for each in parameters)
