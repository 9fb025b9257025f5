-- Who traded. One row for each wallet that a trade proves, as it was when it was written down; how it is rolled up: docs/decisions/0046-a-roll-up-made-anew.md
--
-- Prices in micros (4294967295: none), sizes in millionths, USD in millionths (9007199254740991: not known), scores in tenths (65535: none).
-- role: the taker's side of a trade, or that of the order it met. A trade may stand here twice: readers take the first that was written.
-- batch, written_at: which insert brought the row, and when, by the engine's clock: the roll-up reads what it has not read yet by them.
CREATE TABLE IF NOT EXISTS trader_trades
(
  venue         LowCardinality(String) CODEC(ZSTD(1)),
  wallet        String CODEC(ZSTD(1)),
  ts            UInt64 CODEC(Delta, ZSTD(1)),
  trade_id      String CODEC(ZSTD(1)),
  outcome_id    LowCardinality(String) CODEC(ZSTD(1)),
  market_id     LowCardinality(String) CODEC(ZSTD(1)),
  role          Enum8('taker' = 1, 'maker' = 2) CODEC(ZSTD(1)),
  side          Enum8('buy' = 1, 'sell' = 2) CODEC(ZSTD(1)),
  recv_delay    Int64  CODEC(T64, ZSTD(1)),
  price         UInt32 CODEC(ZSTD(1)),
  size          UInt64 CODEC(ZSTD(1)),
  usd           UInt64 CODEC(ZSTD(1)),
  batch         UInt64 CODEC(ZSTD(1)),
  written_at    UInt64 DEFAULT toUnixTimestamp64Milli(now64(3)) CODEC(Delta, ZSTD(1)),
  INDEX written written_at TYPE minmax GRANULARITY 64
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDateTime(intDiv(ts, 1000), 'UTC'))
ORDER BY (venue, wallet, ts, trade_id, outcome_id, role)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 20000;

-- The same trades in the order of time, one row each, with what was thought of their taker then: the smart money feed, and how a writer knows what it
-- has written already. judged: somebody had formed an opinion of the wallet by then; only such rows are fed to readers.
CREATE TABLE IF NOT EXISTS trader_feed
(
  ts            UInt64 CODEC(Delta, ZSTD(1)),
  trade_id      String CODEC(ZSTD(1)),
  venue         LowCardinality(String) CODEC(ZSTD(1)),
  -- No dictionaries: pages are read here and there, and each place would read its whole dictionary.
  outcome_id    String CODEC(ZSTD(1)),
  market_id     String CODEC(ZSTD(1)),
  wallet        String CODEC(ZSTD(1)),
  side          Enum8('buy' = 1, 'sell' = 2) CODEC(ZSTD(1)),
  recv_delay    Int64  CODEC(T64, ZSTD(1)),
  price         UInt32 CODEC(ZSTD(1)),
  size          UInt64 CODEC(ZSTD(1)),
  usd           UInt64 CODEC(ZSTD(1)),
  judged        UInt8  CODEC(ZSTD(1)),
  category      Enum8('none' = 0, 'bot' = 1, 'whale' = 2, 'smart' = 3, 'fresh' = 4, 'fish' = 5) CODEC(ZSTD(1)),
  wallet_score  UInt16 CODEC(ZSTD(1)),
  trade_score   UInt16 CODEC(ZSTD(1)),
  size_factor   UInt16 CODEC(ZSTD(1)),
  entry_factor  UInt16 CODEC(ZSTD(1)),
  timing_factor UInt16 CODEC(ZSTD(1)),
  INDEX of_wallet wallet TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX of_market market_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX scores trade_score TYPE minmax GRANULARITY 1,
  INDEX categories category TYPE set(0) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDateTime(intDiv(ts, 1000), 'UTC'))
ORDER BY (ts, trade_id, venue, outcome_id)
SETTINGS index_granularity = 2048, non_replicated_deduplication_window = 20000;

-- What a wallet did in an outcome on a UTC day, made anew from all its trades of that day. Of two rows the one made from more trades stands.
CREATE TABLE IF NOT EXISTS trader_days
(
  venue        LowCardinality(String),
  wallet       String CODEC(ZSTD(1)),
  day          UInt32 CODEC(Delta, ZSTD(1)),
  outcome_id   LowCardinality(String) CODEC(ZSTD(1)),
  market_id    LowCardinality(String) CODEC(ZSTD(1)),
  -- Rows it was made from, repeats and those taken back included: it only grows.
  made_from    UInt64 CODEC(ZSTD(1)),
  trades       UInt64 CODEC(ZSTD(1)),
  -- Of them without a price, and without a worth in USD.
  unpriced     UInt64 CODEC(ZSTD(1)),
  unvalued     UInt64 CODEC(ZSTD(1)),
  buy_units    UInt64 CODEC(ZSTD(1)),
  buy_cost     UInt64 CODEC(ZSTD(1)),
  sell_units   UInt64 CODEC(ZSTD(1)),
  sell_cost    UInt64 CODEC(ZSTD(1)),
  usd          UInt64 CODEC(ZSTD(1)),
  first_ts     UInt64 CODEC(ZSTD(1)),
  last_ts      UInt64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(made_from)
ORDER BY (venue, wallet, day, outcome_id)
SETTINGS index_granularity = 1024;

-- What a share of an outcome was worth in the end, millionths; the first word stands.
CREATE TABLE IF NOT EXISTS trader_settlements
(
  venue       LowCardinality(String),
  outcome_id  String CODEC(ZSTD(1)),
  market_id   String CODEC(ZSTD(1)),
  payout      UInt32,
  batch       UInt64,
  written_at  UInt64 DEFAULT toUnixTimestamp64Milli(now64(3))
)
ENGINE = MergeTree
ORDER BY (venue, outcome_id)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 20000;

-- Wallets as last rolled up. Of two rows the one made from more stands.
CREATE TABLE IF NOT EXISTS trader_wallets
(
  venue         LowCardinality(String),
  wallet        String CODEC(ZSTD(1)),
  made_from     UInt64,
  refreshed_at  UInt64 DEFAULT toUnixTimestamp64Milli(now64(3)),
  score         UInt16,
  track_record  UInt16,
  experience    UInt16,
  scale         UInt16,
  discipline    UInt16,
  category      Enum8('none' = 0, 'bot' = 1, 'whale' = 2, 'smart' = 3, 'fresh' = 4, 'fish' = 5),
  trades        UInt64,
  markets       UInt64,
  settled       UInt64,
  won           UInt64,
  -- USD in millionths; 9007199254740991: not known of every trade.
  usd           UInt64,
  -- Won or lost on settled markets, USD in millionths; -9007199254740991: not known.
  pnl           Int64,
  first_ts      UInt64,
  last_ts       UInt64
)
ENGINE = ReplacingMergeTree(made_from)
ORDER BY (venue, wallet)
SETTINGS index_granularity = 1024;

-- How far the roll-up has read, by the engine's clock.
CREATE TABLE IF NOT EXISTS trader_progress
(
  name  LowCardinality(String),
  at    UInt64
)
ENGINE = ReplacingMergeTree(at)
ORDER BY name;
