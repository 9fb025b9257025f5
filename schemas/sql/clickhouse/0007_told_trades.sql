-- Trades of a wallet that somebody asked about before the record knew it, as its venue told them then: docs/decisions/0050-what-a-venue-told-of-a-wallet.md
--
-- A reading is one insert, so that all of it stands here or nothing. Of two readings of a wallet the one written first stands. It tells of all its trades
-- after `since` and up to `until`: what was seen of the wallet in that time counts no more, whatever name it has there. Units as in trader_trades.
CREATE TABLE IF NOT EXISTS trader_told
(
  venue       LowCardinality(String) CODEC(ZSTD(1)),
  wallet      String CODEC(ZSTD(1)),
  ts          UInt64 CODEC(Delta, ZSTD(1)),
  trade_id    String CODEC(ZSTD(1)),
  outcome_id  LowCardinality(String) CODEC(ZSTD(1)),
  market_id   LowCardinality(String) CODEC(ZSTD(1)),
  side        Enum8('buy' = 1, 'sell' = 2) CODEC(ZSTD(1)),
  price       UInt32 CODEC(ZSTD(1)),
  size        UInt64 CODEC(ZSTD(1)),
  usd         UInt64 CODEC(ZSTD(1)),
  since       UInt64 CODEC(ZSTD(1)),
  until       UInt64 CODEC(ZSTD(1)),
  batch       UInt64 CODEC(ZSTD(1)),
  written_at  UInt64 DEFAULT toUnixTimestamp64Milli(now64(3)) CODEC(Delta, ZSTD(1)),
  INDEX written written_at TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
ORDER BY (venue, wallet, ts, trade_id, outcome_id)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 20000;
