"""A surface built from parts and deltas."""

from types import SimpleNamespace
from typing import Any

from crossbook.stream import Surface


def data(seq: int, kind: str, rows: list[str] = (), removes: list[str] = (), part: tuple[int, int] = (1, 1)) -> Any:
    told = [SimpleNamespace(id=row.split("=")[0], value=row.split("=")[1]) for row in rows]
    snapshot = kind == "snapshot"
    return SimpleNamespace(
        seq=seq, kind=kind, part=SimpleNamespace(i=part[0], n=part[1]), rows=told if snapshot else None,
        upserts=None if snapshot else told, removes=None if snapshot else list(removes),
    )  # fmt: skip


def surface() -> Surface[Any]:
    return Surface(lambda row: row.id)


def told(kept: Surface[Any]) -> dict[str, str]:
    return {name: row.value for name, row in kept.rows.items()}


def test_a_frame_counts_once_all_its_parts_are_there() -> None:
    kept = surface()
    assert kept.take(data(10, "snapshot", ["a=1"], part=(1, 2)))
    assert (told(kept), kept.stale) == ({}, True)
    assert kept.take(data(10, "snapshot", ["b=1"], part=(2, 2)))
    assert (told(kept), kept.stale, kept.seq) == ({"a": "1", "b": "1"}, False, 10)
    kept.take(data(15, "delta", ["a=2"], part=(1, 2)))
    assert told(kept)["a"] == "1"
    kept.take(data(15, "delta", ["c=1"], ["b"], part=(2, 2)))
    assert told(kept) == {"a": "2", "c": "1"}


def test_missing_parts_are_told_once_and_repaired_by_the_next_snapshot() -> None:
    for lost in (
        [data(11, "delta", ["a=2"], part=(1, 2)), data(12, "delta", ["a=3"])],
        [data(11, "delta", ["a=2"], part=(2, 2))],
        [data(11, "delta", ["a=2"], part=(1, 3)), data(11, "delta", ["a=2"], part=(3, 3))],
        [data(10, "delta", ["a=2"])],
    ):
        kept = surface()
        kept.take(data(10, "snapshot", ["a=1"]))
        assert [kept.take(each) for each in lost][-1] is False
        assert kept.stale
        assert kept.take(data(13, "delta", ["a=4"])), "said once"
        assert told(kept) == {"a": "1"}
        assert kept.take(data(14, "snapshot", ["z=1"]))
        assert (told(kept), kept.stale) == ({"z": "1"}, False)


def test_a_new_connection_counts_anew() -> None:
    kept = surface()
    kept.take(data(10, "snapshot", ["a=1"]))
    kept.reset()
    assert (kept.stale, told(kept)) == (True, {"a": "1"})
    assert kept.take(data(2, "delta", ["a=2"]))
    assert kept.take(data(3, "snapshot", ["b=1"]))
    assert told(kept) == {"b": "1"}
