-- Trades that a chain took back after they were told. A row of `trades` that was received by `at` does not count; one received later does: its block
-- came back. Rows stand here in the hundreds at most.
CREATE TABLE IF NOT EXISTS withdrawn_trades
(
  venue       LowCardinality(String),
  outcome_id  String,
  trade_id    String,
  at          UInt64
)
ENGINE = MergeTree
ORDER BY (venue, outcome_id, trade_id)
SETTINGS non_replicated_deduplication_window = 20000;
