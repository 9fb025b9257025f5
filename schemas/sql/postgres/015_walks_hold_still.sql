-- Ranks a row had before, so that a walk begun earlier still finds every row at the place it had then (decision 18). A rank holds from the
-- venue's write `since` until its write `until`; ranks that hold now stand with the rows.

-- Every write of a venue's catalog takes the next number. The row is locked until that write commits, so numbers become visible in order.
CREATE TABLE catalog_versions (
  venue       text COLLATE "C" PRIMARY KEY,
  version     bigint NOT NULL,
  -- Walks begun at this write or later can go on; ranks that ended before it are gone.
  oldest      bigint NOT NULL,
  -- What `oldest` becomes at the next turn.
  next_oldest bigint NOT NULL,
  turned_at   timestamptz NOT NULL
);

CREATE TABLE catalog_past_ranks (
  venue text COLLATE "C" NOT NULL,
  kind  "char" NOT NULL,
  -- 'v' volume, 'l' liquidity, 'n' newest.
  sort  "char" NOT NULL,
  id    text COLLATE "C" NOT NULL,
  rank  double precision NOT NULL,
  since bigint NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (venue, kind, sort, id, until)
);
-- All that tells whether a rank holds for a walk stands in the index, so rows are not visited in vain.
CREATE INDEX catalog_past_ranks_order ON catalog_past_ranks (venue, kind, sort, rank, id, until, since);
