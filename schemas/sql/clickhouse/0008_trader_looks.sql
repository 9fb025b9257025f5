-- Up to when what was traded on a venue is written, as far as somebody looks at it: epoch ms, said by whoever looks, also while nothing is traded.
CREATE TABLE IF NOT EXISTS trader_looks
(
  venue LowCardinality(String),
  at    UInt64
)
ENGINE = ReplacingMergeTree(at)
ORDER BY venue;
