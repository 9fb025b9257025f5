-- How far each writer of the tape is: every row that was received before `until` and that it was given is here. One row every few seconds; the newest of a writer
-- stands. 9007199254740991: it stopped with nothing left to write.
CREATE TABLE IF NOT EXISTS tape_progress
(
  writer  String,
  until   UInt64,
  at      UInt64
)
ENGINE = ReplacingMergeTree(at)
ORDER BY writer
TTL toDateTime(intDiv(at, 1000)) + INTERVAL 2 DAY
SETTINGS non_replicated_deduplication_window = 1000;
