"""Runs a block of the README as it is printed, with the names it assumes; iterators that it creates are read to their end. A placeholder (`...`)
in an infinite loop ends it."""

import ast
import asyncio
import base64
import hashlib
import hmac
import inspect
import json
import os
import secrets
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import crossbook
import crossbook.models
import crossbook.stream

url, key = os.environ["CROSSBOOK_URL"], os.environ["CROSSBOOK_KEY"]
secret = f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"
raw_body = b'{"test":true}'
at = str(int(time.time()))
signature = hmac.new(base64.b64decode(secret[6:]), b".".join([b"msg_1", at.encode(), raw_body]), hashlib.sha256).digest()
headers = {"webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": f"v1,{base64.b64encode(signature).decode()}"}

code = Path(sys.argv[1]).read_text()
if "async for" in code:
    code = code.replace("case BookFrame(): ...", "case BookFrame(): print('book', event.market_id); break")
given = {
    **vars(crossbook.models),
    **vars(crossbook.stream),
    **vars(crossbook),
    **json.loads(os.environ["GIVEN"]),
    "url": url,
    "key": key,
    "client": crossbook.Crossbook(url, key),
    "private_key": f"0x{secrets.token_hex(32)}",
    "request": SimpleNamespace(headers=headers),
    "secret": secret,
    "raw_body": raw_body,
}


async def run() -> None:
    for node in ast.parse(code).body:
        if isinstance(node, ast.Expr):
            value = eval(compile(ast.Expression(node.value), "README.md", "eval"), given)
            if inspect.isgenerator(value):
                value = await asyncio.to_thread(list, value)
            print("value", type(value).__name__, len(value) if hasattr(value, "__len__") else getattr(value, "success", ""))
            continue
        made = eval(compile(ast.Module([node], []), "README.md", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), given)
        if inspect.isawaitable(made):
            await made


asyncio.run(run())
if "delivery" in given:
    print("delivery", given["delivery"].id)
