"""History: windows, pages, gaps, interrupted downloads."""

import hashlib
import json
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scripted import Asked, Reply, Script, answer, refusal

from crossbook import ChecksumMismatch, ConnectionFailed, Crossbook, RetryPolicy, UnexpectedAnswer
from crossbook.tape import WINDOW_MS, epoch_ms, windows

DAY = 86_400_000
BYTES = bytes(range(256)) * 400
FILE = SimpleNamespace(date="2026-11-22", venue="kalshi", kind="tob", size=len(BYTES), sha256=hashlib.sha256(BYTES).hexdigest())


def client(script: Script) -> Crossbook:
    return Crossbook(script.url, "key", sleep=lambda _: None, retry=RetryPolicy(attempts=3))


def page(rows: list[int], following: str | None) -> Reply:
    lines = [{"k": "tob", "ts": ts} for ts in rows] + [{"k": "cursor", "next": following, "rows": len(rows)}]
    return Reply(200, "\n".join(map(json.dumps, lines)).encode() + b"\n", {"content-type": "application/x-ndjson"})


def query(asked: Asked) -> dict[str, str]:
    return dict(part.split("=") for part in asked.path.split("?")[1].split("&"))


def test_windows_meet_and_never_overlap() -> None:
    assert list(windows(0, 0)) == [(0, 0)]
    assert list(windows(0, 2 * WINDOW_MS)) == [(0, WINDOW_MS - 1), (WINDOW_MS, 2 * WINDOW_MS - 1), (2 * WINDOW_MS, 2 * WINDOW_MS)]
    with pytest.raises(ValueError, match="until"):
        list(windows(1, 0))
    with pytest.raises(ValueError, match="l2"):
        list(windows(0, WINDOW_MS, "l2"))


def test_times_of_every_kind_are_the_same_millisecond() -> None:
    at = 1_767_225_600_000
    given: list[Any] = [at, float(at), str(at), "2026-01-01T00:00:00.000Z", datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=timezone.utc)]
    assert {epoch_ms(each) for each in given} == {at}


def test_rows_go_through_pages_and_windows(script: Script) -> None:
    script.will(page([1, 2], "a"), page([3], None), page([], None))
    with client(script) as c:
        rows = list(c.history.rows("kalshi", "o", "tob", since=0, until=WINDOW_MS, limit=2))
    assert [row["ts"] for row in rows] == [1, 2, 3]
    assert [query(asked).get("cursor") for asked in script.asked] == [None, "a", None]
    assert [query(asked)["since"] for asked in script.asked] == ["0", "0", str(WINDOW_MS)]


def test_a_page_that_breaks_off_is_asked_for_again_and_no_row_comes_twice(script: Script) -> None:
    whole = page([1, 2], None)
    script.will(Reply(200, whole.body, cut=len(whole.body) // 2), whole)
    with client(script) as c:
        assert [row["ts"] for row in c.history.rows("kalshi", "o", "tob", since=0, until=1)] == [1, 2]


@pytest.mark.parametrize("body", [b"", b'{"k":"tob","ts":1}\n', b'{"k":"tob","ts":1}\n{"k":"cursor","next":null,"rows":2}\n'])
def test_a_page_without_its_end_is_none(script: Script, body: bytes) -> None:
    script.will(Reply(200, body))
    with client(script) as c, pytest.raises(UnexpectedAnswer):
        list(c.history.rows("kalshi", "o", "tob", since=0, until=1))


def gap(start: str | None, end: str | None, kind: str = "gap") -> dict[str, Any]:
    return {"kind": kind, "from": start, "to": end, "reason": None}


def coverage(*gaps: dict[str, Any], truncated: bool = False) -> Reply:
    nothing = dict.fromkeys(("market", "effectiveIntervalMs", "tradesSince", "depthSince", "tradesUntil", "completeUntil"))
    outcome = {"venue": "kalshi", "outcomeId": "o", "mechanism": "ws-lossless", "tapeSince": "2026-01-01T00:00:00Z", **nothing}
    meta = {"completeUntil": None, "since": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z"}
    return answer([{**outcome, "gaps": list(gaps), "gapsTruncated": truncated}], meta=meta, asOf="2026-01-02T00:00:00Z")


def test_gaps_come_once_oldest_first_also_where_one_answer_has_not_all(script: Script) -> None:
    old, new, across = (gap(f"1970-01-01T0{i}:00:00Z", f"1970-01-01T0{i}:30:00Z") for i in (1, 9, 5))
    script.will(coverage(new, truncated=True), coverage(old, across), coverage(across, new, gap(None, "1970-01-01T08:00:00Z")))
    with client(script) as c:
        found = c.history.gaps("kalshi", "o", since=0, until=DAY // 2)
    assert [None if each.start is None else each.start.hour for each in found] == [1, 5, None, 9]
    assert [(query(asked)["since"], query(asked)["until"]) for asked in script.asked] == [
        ("0", str(DAY // 2)), ("0", str(DAY // 4)), (str(DAY // 4 + 1), str(DAY // 2)),
    ]  # fmt: skip


def download(script: Script, target: Path) -> Path:
    with client(script) as c:
        return c.history.download(FILE, target)


def rest(asked: Asked) -> Reply:
    assert asked.headers["if-range"] == f'"{FILE.sha256}"'
    start = int(asked.headers["range"].removeprefix("bytes=").removesuffix("-"))
    return Reply(206, BYTES[start:])


def test_a_download_goes_on_where_it_broke_off(script: Script, tmp_path: Path) -> None:
    script.will(Reply(200, BYTES, cut=70_000), rest)
    assert download(script, tmp_path / "day.parquet").read_bytes() == BYTES
    assert [each.name for each in tmp_path.iterdir()] == ["day.parquet"]
    assert "range" not in script.asked[0].headers


def test_a_download_goes_on_as_long_as_some_of_it_comes(script: Script, tmp_path: Path) -> None:
    def a_little(asked: Asked) -> Reply:
        reply = rest(asked)
        return Reply(206, reply.body, cut=len(reply.body) // 2)

    script.will(Reply(200, BYTES, cut=10_000), *[a_little] * 9, rest)
    assert download(script, tmp_path / "day.parquet").read_bytes() == BYTES


def test_a_download_of_which_nothing_comes_ends(script: Script, tmp_path: Path) -> None:
    script.will(*[Reply(200, BYTES, cut=0)] * 3)
    with pytest.raises(ConnectionFailed):
        download(script, tmp_path / "day.parquet")
    assert len(script.asked) == 3


def test_a_download_goes_on_in_another_process(script: Script, tmp_path: Path) -> None:
    script.will(*[Reply(200, BYTES, cut=50_000), refusal(503, "HISTORY_UNAVAILABLE", retryable=False)])
    from crossbook import ApiError

    with pytest.raises(ApiError):
        download(script, tmp_path / "day.parquet")
    assert not (tmp_path / "day.parquet").exists()
    script.will(rest)
    assert download(script, tmp_path / "day.parquet").read_bytes() == BYTES


def test_another_file_under_the_same_name_comes_whole(script: Script, tmp_path: Path) -> None:
    (tmp_path / "day.parquet.part").write_bytes(b"of yesterday")
    script.will(Reply(200, BYTES))
    assert download(script, tmp_path / "day.parquet").read_bytes() == BYTES


def test_bytes_that_are_others_are_removed(script: Script, tmp_path: Path) -> None:
    script.will(Reply(200, BYTES[:-1] + b"!"))
    with pytest.raises(ChecksumMismatch):
        download(script, tmp_path / "day.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_is_whole_costs_no_request(script: Script, tmp_path: Path) -> None:
    (tmp_path / "day.parquet.part").write_bytes(BYTES)
    assert download(script, tmp_path / "day.parquet").read_bytes() == BYTES
    assert script.asked == []


def test_pages_become_a_frame_and_a_file(script: Script, tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    import io

    def parquet(times: list[int]) -> bytes:
        out = io.BytesIO()
        pl.DataFrame({"ts": times, "bid": [None] * len(times)}, schema={"ts": pl.Int64, "bid": pl.Float64}).write_parquet(out)
        return out.getvalue()

    pages = [Reply(200, parquet([1, 2]), {"x-next-cursor": "a", "x-page-rows": "2"}), Reply(200, parquet([3]), {"x-page-rows": "1"})]
    script.will(*pages, *pages)
    with client(script) as c:
        frame = c.history.to_polars("kalshi", "o", "tob", since=0, until=1)
        path = c.history.to_parquet(tmp_path / "rows.parquet", "kalshi", "o", "tob", since=0, until=1)
    assert frame["ts"].to_list() == [1, 2, 3]
    assert pl.read_parquet(path).equals(frame)
    assert [each.name for each in tmp_path.iterdir()] == ["rows.parquet"]
