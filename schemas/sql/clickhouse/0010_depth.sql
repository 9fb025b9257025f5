-- Full depth as it changed. One row a level: the rows of one change share (recv_ts, epoch, seq), and a size is what stands at that price from then on.
-- How a book is made of them, and why so: docs/decisions/0080-full-depth-is-a-chain.md
--
-- recv_ts: when we knew it, never back within one epoch; the order of rows. recv_delay: recv_ts minus event time, ms.
-- epoch: of the venue's owner. seq: rises by one with each change of the book within an epoch: a hole means that rows are missing.
-- type: 1 start (a whole book; nothing is known of what was between it and the row before), 2 snapshot (the book as it stands anyway), 3 delta,
--   4 same (nothing changed, the book is live), 5 gap (from here on nobody knows the book).
-- side: 1 bid, 2 ask, 0 none: a row that says no more than its type. price, size: as in top_of_book; a size of 0 takes the level away.
CREATE TABLE IF NOT EXISTS depth
(
  venue       LowCardinality(String) CODEC(ZSTD(1)),
  outcome_id  LowCardinality(String) CODEC(ZSTD(1)),
  recv_ts     UInt64 CODEC(Delta, ZSTD(3)),
  recv_delay  Int64  CODEC(T64, ZSTD(3)),
  epoch       UInt64 CODEC(ZSTD(1)),
  seq         UInt32 CODEC(Delta, ZSTD(3)),
  type        UInt8  CODEC(ZSTD(3)),
  side        UInt8  CODEC(ZSTD(3)),
  price       UInt16 CODEC(Delta, ZSTD(3)),
  price_fine  UInt8  CODEC(ZSTD(3)),
  size        UInt64 CODEC(ZSTD(3)),
  size_fine   UInt16 CODEC(ZSTD(3))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDateTime(intDiv(recv_ts, 1000), 'UTC'))
ORDER BY (venue, outcome_id, recv_ts, epoch, seq, side, price, price_fine)
SETTINGS non_replicated_deduplication_window = 20000;
