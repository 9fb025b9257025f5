"""A receiver that verifies every signature: `CROSSBOOK_SECRET=whsec_… python webhook.py 8090`. Prints the deliveries."""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from crossbook.webhooks import NotVerified, verify

secret = os.environ["CROSSBOOK_SECRET"]
seen: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            delivery = verify(secret, self.headers, body)
        except NotVerified as error:
            print("refused:", error, flush=True)
            self.send_error(401)
            return
        self.send_response(204)
        self.end_headers()
        # A delivery whose response was lost comes again under the same id.
        if delivery.id not in seen:
            seen.add(delivery.id)
            print("verified", delivery.event, body.decode(), flush=True)

    def log_message(self, *_: object) -> None:
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
