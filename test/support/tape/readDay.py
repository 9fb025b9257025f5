"""Reads a day of tape in every way that the Python client has, into files of JSON lines. Prints the gaps as one JSON object by outcome."""

import json
import os
import sys
from datetime import datetime
from pathlib import Path

import polars as pl

from crossbook import Crossbook

asked = json.loads(sys.argv[1])
folder = Path(asked["folder"])
window = {"since": asked["since"], "until": asked["until"]}


def ms(at: datetime | None) -> int | None:
    return None if at is None else round(at.timestamp() * 1000)


with Crossbook(os.environ["CROSSBOOK_URL"], os.environ["CROSSBOOK_KEY"]) as client:
    history = client.history
    gaps = {}
    for market in asked["markets"]:
        named = (market["venue"], market["outcomeId"])
        for kind in ("tob", "trades", "l2"):
            name = f"{market['outcomeId']}-{kind}"
            rows = history.rows(*named, kind, **window)
            (folder / f"{name}-rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
            history.to_polars(*named, kind, **window).write_ndjson(folder / f"{name}-frame.jsonl")
            file = history.to_parquet(folder / f"{name}.parquet", *named, kind, **window)
            pl.read_parquet(file).write_ndjson(folder / f"{name}-file.jsonl")
        told = history.gaps(*named, **window)
        gaps[market["outcomeId"]] = [[gap.kind, ms(gap.start), ms(gap.end), gap.reason] for gap in told]
    for file in history.files(date=asked["date"]):
        target = history.download(file, folder / f"{file.venue}-{file.kind}.parquet")
        pl.read_parquet(target).write_ndjson(folder / f"{file.venue}-{file.kind}-day.jsonl")
    print(json.dumps(gaps))
