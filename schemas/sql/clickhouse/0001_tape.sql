-- The tape. One row per observation, in the order readers page it. How prices, sizes and times are packed and why: docs/decisions/0003-tape-encoding.md
--
-- Prices: ticks of 1/10000 in 16 bits; what a tick cannot say stands in `…_fine` (millionths, 0 to 99). 65535: that side was empty.
-- Sizes: hundredths; what they cannot say stands in `…_fine` (millionths, 0 to 9999).
-- recv_delay: receive time minus event time, ms, negative when the venue's clock is ahead.
-- seq: order of arrival within one receive millisecond of one outcome.
CREATE TABLE IF NOT EXISTS top_of_book
(
  venue          LowCardinality(String) CODEC(ZSTD(1)),
  outcome_id     LowCardinality(String) CODEC(ZSTD(1)),
  ts             UInt64 CODEC(Delta, ZSTD(3)),
  recv_delay     Int64  CODEC(T64, ZSTD(3)),
  seq            UInt16 CODEC(ZSTD(3)),
  bid            UInt16 CODEC(Delta, ZSTD(3)),
  bid_fine       UInt8  CODEC(ZSTD(3)),
  bid_size       UInt64 CODEC(ZSTD(3)),
  bid_size_fine  UInt16 CODEC(ZSTD(3)),
  ask            UInt16 CODEC(Delta, ZSTD(3)),
  ask_fine       UInt8  CODEC(ZSTD(3)),
  ask_size       UInt64 CODEC(ZSTD(3)),
  ask_size_fine  UInt16 CODEC(ZSTD(3))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDateTime(intDiv(ts, 1000), 'UTC'))
ORDER BY (venue, outcome_id, ts, recv_delay, seq)
SETTINGS non_replicated_deduplication_window = 1000;

-- Prices in micros (4294967295: the venue gave none), sizes in millionths.
-- A trade may stand here twice (two id representations, a backfill): readers take the first of each (ts, trade_id).
CREATE TABLE IF NOT EXISTS trades
(
  venue             LowCardinality(String) CODEC(ZSTD(1)),
  outcome_id        LowCardinality(String) CODEC(ZSTD(1)),
  ts                UInt64 CODEC(Delta, ZSTD(3)),
  trade_id          String CODEC(ZSTD(3)),
  recv_delay        Int64  CODEC(T64, ZSTD(3)),
  price             UInt32 CODEC(Delta, ZSTD(3)),
  size              UInt64 CODEC(ZSTD(3)),
  side              Enum8('unknown' = 0, 'buy' = 1, 'sell' = 2) CODEC(ZSTD(1)),
  transaction_hash  Nullable(String) CODEC(ZSTD(3))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDateTime(intDiv(ts, 1000), 'UTC'))
ORDER BY (venue, outcome_id, ts, trade_id, recv_delay)
SETTINGS non_replicated_deduplication_window = 1000;

-- Full depth now and then. Parallel arrays, best first; prices in micros, sizes in millionths.
CREATE TABLE IF NOT EXISTS books
(
  venue       LowCardinality(String) CODEC(ZSTD(1)),
  outcome_id  LowCardinality(String) CODEC(ZSTD(1)),
  ts          UInt64 CODEC(Delta, ZSTD(3)),
  recv_delay  Int64  CODEC(T64, ZSTD(3)),
  bids        Array(UInt32) CODEC(Delta, ZSTD(3)),
  bid_sizes   Array(UInt64) CODEC(ZSTD(3)),
  asks        Array(UInt32) CODEC(Delta, ZSTD(3)),
  ask_sizes   Array(UInt64) CODEC(ZSTD(3))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDateTime(intDiv(ts, 1000), 'UTC'))
ORDER BY (venue, outcome_id, ts, recv_delay)
SETTINGS non_replicated_deduplication_window = 1000;

-- What the tape of an outcome can promise, as it changed.
CREATE TABLE IF NOT EXISTS coverage
(
  venue                  LowCardinality(String),
  outcome_id             String,
  at                     UInt64 CODEC(Delta, ZSTD(1)),
  kind                   Enum8('opened' = 1, 'gap' = 2, 'resumed' = 3, 'closed' = 4),
  -- Empty where the writer of the row cannot know it: it then stays what it was.
  mechanism              LowCardinality(String),
  effective_interval_ms  Nullable(Float64),
  reason                 Nullable(String)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDateTime(intDiv(at, 1000), 'UTC'))
ORDER BY (venue, outcome_id, at, kind)
SETTINGS non_replicated_deduplication_window = 1000;

-- Last middle price of every minute, so that "the price 30 days ago" reads one small row instead of a day of ticks.
CREATE TABLE IF NOT EXISTS middle_by_minute
(
  venue       LowCardinality(String) CODEC(ZSTD(1)),
  outcome_id  LowCardinality(String) CODEC(ZSTD(1)),
  minute      UInt32 CODEC(Delta, ZSTD(3)),
  last_ts     SimpleAggregateFunction(max, UInt64) CODEC(Delta, ZSTD(3)),
  -- Twice the middle in micros, so that it stays an integer.
  middle2     AggregateFunction(argMax, UInt32, UInt64) CODEC(ZSTD(3))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(toDateTime(minute * 60, 'UTC'))
ORDER BY (venue, outcome_id, minute)
TTL toDateTime(minute * 60, 'UTC') + INTERVAL 40 DAY;

CREATE MATERIALIZED VIEW IF NOT EXISTS middle_by_minute_feed TO middle_by_minute AS
SELECT
  venue,
  outcome_id,
  toUInt32(intDiv(t.ts, 60000)) AS minute,
  max(t.ts) AS last_ts,
  argMaxState(toUInt32((t.bid + t.ask) * 100 + t.bid_fine + t.ask_fine), t.ts) AS middle2
FROM top_of_book AS t
WHERE t.bid != 65535 AND t.ask != 65535
GROUP BY venue, outcome_id, minute;
