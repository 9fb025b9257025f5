"""A service with scripted responses, in order, which records its requests."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Reply:
    """`cut`: this many bytes of the body, then the connection ends."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None


@dataclass
class Script:
    url: str
    replies: deque[Reply | Callable[[Asked], Reply]] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)

    def will(self, *replies: Reply | Callable[[Asked], Reply]) -> None:
        self.replies.extend(replies)


def answer(data: Any, **beside: Any) -> Reply:
    return Reply(200, json.dumps({"success": True, "data": data, **beside}).encode(), {"content-type": "application/json"})


def refusal(status: int, code: str, *, retryable: bool, **headers: str) -> Reply:
    error = {"message": "no", "code": code, "retryable": retryable, "requestId": "r-1"}
    return Reply(status, json.dumps({"success": False, "error": error}).encode(), headers)


@contextmanager
def serve() -> Iterator[Script]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            asked = Asked(self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            script.asked.append(asked)
            reply = script.replies.popleft()
            reply = reply if isinstance(reply, Reply) else reply(asked)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body[: reply.cut])
            self.close_connection = reply.cut is not None

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script = Script(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
