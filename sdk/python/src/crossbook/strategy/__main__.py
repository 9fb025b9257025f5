"""`python -m crossbook.strategy file.py`: runs a strategy; in a backtest when the engine started this process, else against a service."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import inspect
import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from crossbook.async_client import AsyncCrossbook
from crossbook.strategy.context import Clock, Context, Market
from crossbook.strategy.credentials import VenueCredentials
from crossbook.strategy.engine import Engine, EngineTransport, TapeLoop
from crossbook.strategy.refresh import OrderRefresher
from crossbook.stream.client import Stream

Strategy = Callable[[Context], Awaitable[None]]


class _Client(AsyncCrossbook):
    """Ends its streams when the run ends."""

    def __init__(self, *args: Any, connector: Any = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._connector = connector
        self.streams: list[Stream] = []

    def stream(self, **options: Any) -> Stream:
        stream = super().stream(**({} if self._connector is None else {"connector": self._connector}), **options)
        self.streams.append(stream)
        return stream

    async def end_streams(self) -> None:
        for stream in self.streams:
            await stream.close()


def load(path: str) -> Strategy:
    spec = importlib.util.spec_from_file_location("strategy", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules["strategy"] = module
    sys.path.insert(0, str(Path(path).resolve().parent))
    spec.loader.exec_module(module)
    strategy = getattr(module, "strategy", None)
    if not inspect.iscoroutinefunction(strategy):
        raise SystemExit(f"{path} defines no `async def strategy(ctx)`")
    return strategy


def market_of(text: str) -> Market:
    venue, colon, market_id = text.partition(":")
    if colon == "" or market_id == "":
        raise SystemExit("--markets takes venue:marketId, separated by commas")
    return Market(venue, market_id)


def param_of(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if name == "" or equals == "":
        raise SystemExit("--param takes name=value")
    return name, value


def run_backtest(path: str, address: str) -> None:
    if os.environ.get("PYTHONHASHSEED") != "0":
        # Otherwise the order of a set of texts differs from run to run.
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-u", "-m", "crossbook.strategy", *sys.argv[1:]])
    about = json.loads(sys.stdin.readline())
    engine = Engine(address, about["token"], about["now"])
    loop = TapeLoop(engine)
    asyncio.set_event_loop(loop)
    seeded = random.Random(about["seed"])
    random.seed(about["seed"])
    failure: str | None = None

    async def main() -> None:
        over = asyncio.Event()
        client = _Client("http://backtest", "xb_paper_backtest", transport=EngineTransport(engine), connector=engine.connect)
        endings: list[asyncio.Task[None]] = []

        def end() -> None:
            over.set()
            endings.append(loop.create_task(client.end_streams()))

        engine.on_over = end
        context = Context(
            client=client,
            clock=Clock(lambda: engine.now, over),
            markets=[Market(each["venue"], each["marketId"]) for each in about["markets"]],
            params=about["params"],
            over=over,
            random=seeded.random,
            owner=about["owner"],
            write_log=engine.log,
        )
        await load(path)(context)

    try:
        # Before anything runs: the engine's first message has the time.
        engine.turn(None)
        loop.run_until_complete(main())
    except SystemExit as stop:
        failure = str(stop.code)
    except BaseException:
        failure = traceback.format_exc()
    engine.reply(None, ended=True, failure=failure)


async def run_live(strategy: Strategy, options: argparse.Namespace) -> None:
    over = asyncio.Event()
    credentials: Mapping[str, Mapping[str, str]] = {}
    if options.credentials is not None:
        credentials = json.loads(Path(options.credentials).read_text())
    is_paper = options.key.startswith("xb_paper_")
    wallet_key = os.environ.get("CROSSBOOK_WALLET_KEY")
    owner: str | None = None
    sign: Callable[[Any], Awaitable[dict[str, str]]] | None = None
    if wallet_key is not None:
        from crossbook.signing import EvmSigner
        from crossbook.signing import sign as sign_artifact

        wallet = EvmSigner(wallet_key)
        owner = wallet.address

        async def sign_built(built: Any) -> dict[str, str]:
            return dict(sign_artifact(built.unsigned, wallet))

        sign = None if is_paper else sign_built

    def write_log(message: str, data: Mapping[str, Any]) -> None:
        print(message, json.dumps(dict(data), default=str) if data else "", file=sys.stderr)

    client = _Client(options.url, options.key)
    async with client:
        held = VenueCredentials(client, credentials)
        refresher = OrderRefresher(client, held, lambda message: write_log(message, {}))
        context = Context(
            client=client,
            clock=Clock(lambda: time.time() * 1000, over),
            markets=[market_of(each.strip()) for each in options.markets.split(",")],
            params=dict(param_of(each) for each in options.param),
            over=over,
            random=random.random,
            owner=owner,
            write_log=write_log,
            submit_fields=None if is_paper else held.of_submit,
            sign=sign,
            follow=None if is_paper else refresher.follow,
        )
        loop = asyncio.get_running_loop()
        endings: list[asyncio.Task[None]] = []

        def end() -> None:
            over.set()
            endings.append(loop.create_task(client.end_streams()))

        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, end)
        refreshing = None if is_paper else loop.create_task(refresher.run())
        try:
            await strategy(context)
        finally:
            if refreshing is not None:
                refreshing.cancel()
                await asyncio.gather(refreshing, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m crossbook.strategy", description="Run a strategy on a paper account or live.")
    parser.add_argument("file")
    parser.add_argument("--url", default=os.environ.get("CROSSBOOK_URL", "http://127.0.0.1:8080"))
    parser.add_argument("--key", default=os.environ.get("CROSSBOOK_API_KEY"), help="xb_paper_… trades on paper; - reads it from standard input")
    parser.add_argument("--markets", help="venue:marketId, separated by commas")
    parser.add_argument("--param", action="append", default=[], help="name=value, for the strategy; may be repeated")
    parser.add_argument("--credentials", help="JSON file: by venue, the fields of its submits and refreshes")
    parser.add_argument("--backtest", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.backtest is not None:
        run_backtest(options.file, options.backtest)
        return
    if options.key == "-":
        options.key = sys.stdin.readline().strip()
    if options.key is None or options.markets is None:
        parser.error("--key and --markets are required")
    asyncio.run(run_live(load(options.file), options))


if __name__ == "__main__":
    main()
