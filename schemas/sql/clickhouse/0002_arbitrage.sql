-- What the arbitrage surface said: one row per stretch in which a pair of venues was executable. A stretch is told again while it lasts, and the
-- newest `last_seen` stands; readers say FINAL. Edges in micro-dollars for the contracts of the surface, negative ones included.
CREATE TABLE IF NOT EXISTS arbitrage
(
  -- <clusterId>:<venueA>:<venueB>
  row_id      String CODEC(ZSTD(1)),
  venue_yes   LowCardinality(String),
  venue_no    LowCardinality(String),
  first_seen  UInt64 CODEC(Delta, ZSTD(1)),
  last_seen   UInt64 CODEC(Delta, ZSTD(1)),
  ended       UInt8,
  best_edge   Int64,
  best_at     UInt64,
  -- The row as subscribers got it when its edge was best, JSON.
  best        String CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(last_seen)
PARTITION BY toYYYYMM(toDateTime(intDiv(first_seen, 1000), 'UTC'))
ORDER BY (first_seen, row_id)
SETTINGS non_replicated_deduplication_window = 1000;
