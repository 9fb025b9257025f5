-- Verified pairs whose prices differ by more than their books cost. After an hour such a pair is treated as `minor`, until an operator pins or
-- forbids it.
CREATE TABLE match_price_gaps (
  a_venue     text COLLATE "C" NOT NULL,
  a_market_id text COLLATE "C" NOT NULL,
  b_venue     text COLLATE "C" NOT NULL,
  b_market_id text COLLATE "C" NOT NULL,
  -- Since then every observation found a difference.
  since       timestamptz NOT NULL,
  -- Of the last observation.
  seen_at     timestamptz NOT NULL,
  -- By how much the difference exceeded the cost then, probability.
  excess      double precision NOT NULL,
  -- Null: it has not lasted long enough.
  demoted_at  timestamptz,
  PRIMARY KEY (a_venue, a_market_id, b_venue, b_market_id),
  CHECK ((a_venue, a_market_id) < (b_venue, b_market_id))
);
