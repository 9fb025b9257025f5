-- What the matcher found and what operators say about it. Rows are changed by a run only where it says something new; who reads them in
-- one snapshot reads one run. Pairs are stored once, the smaller (venue, id) first by bytes.

-- One row: the last run that was written whole.
CREATE TABLE match_state (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Its row in run_log.
  run_id      bigint NOT NULL,
  -- The last operator's word it had read: a greater one in match_overrides means a run is due.
  override_id bigint NOT NULL,
  finished_at timestamptz NOT NULL
);

CREATE TABLE match_clusters (
  id         text COLLATE "C" PRIMARY KEY,
  question   text NOT NULL,
  -- Of the row with its members, so that an unchanged cluster is not written.
  digest     bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- A market stands in one cluster at most.
CREATE TABLE match_members (
  venue      text COLLATE "C" NOT NULL,
  market_id  text COLLATE "C" NOT NULL,
  cluster_id text COLLATE "C" NOT NULL REFERENCES match_clusters (id) ON DELETE CASCADE,
  -- Place within the cluster; the first one's polarity is `same`.
  position   smallint NOT NULL,
  polarity   text NOT NULL CHECK (polarity IN ('same', 'inverse')),
  PRIMARY KEY (venue, market_id)
);
CREATE INDEX match_members_cluster ON match_members (cluster_id, position);

CREATE TABLE match_pairs (
  a_venue     text COLLATE "C" NOT NULL,
  a_market_id text COLLATE "C" NOT NULL,
  b_venue     text COLLATE "C" NOT NULL,
  b_market_id text COLLATE "C" NOT NULL,
  -- Of both sides; null for a pair that was judged and not joined.
  cluster_id  text COLLATE "C",
  -- 0 to 100; null where the matcher could not read one of the two.
  score       smallint CHECK (score BETWEEN 0 AND 100),
  band        text NOT NULL CHECK (band IN ('verified', 'minor', 'material', 'hidden', 'unscored')),
  polarity    text NOT NULL CHECK (polarity IN ('same', 'inverse')),
  -- How the answers of a stand to those of b: 'subset' means a can only be Yes when b is.
  relation    text NOT NULL CHECK (relation IN ('identity', 'complement', 'subset', 'superset', 'overlap', 'disjoint')),
  differences jsonb NOT NULL,
  resolution  jsonb NOT NULL,
  resolution_equivalence text NOT NULL,
  override    text CHECK (override IN ('pinned', 'forbidden')),
  digest      bytea NOT NULL,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (a_venue, a_market_id, b_venue, b_market_id),
  CHECK ((a_venue, a_market_id) < (b_venue, b_market_id))
);
CREATE INDEX match_pairs_b ON match_pairs (b_venue, b_market_id);
CREATE INDEX match_pairs_cluster ON match_pairs (cluster_id);
-- The best pairs first, in the very order lists have.
CREATE INDEX match_pairs_score ON match_pairs (score DESC NULLS LAST, a_venue, a_market_id, b_venue, b_market_id);

-- Every word an operator said about a pair, in order; the last one of a pair holds. Never changed, never deleted: a word is taken back
-- by a later one.
CREATE TABLE match_overrides (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  a_venue     text COLLATE "C" NOT NULL,
  a_market_id text COLLATE "C" NOT NULL,
  b_venue     text COLLATE "C" NOT NULL,
  b_market_id text COLLATE "C" NOT NULL,
  action      text NOT NULL CHECK (action IN ('pin', 'forbid', 'withdraw')),
  -- Of a pin; null otherwise.
  polarity    text CHECK (polarity IN ('same', 'inverse')),
  reason      text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  said_by     text NOT NULL CHECK (length(said_by) BETWEEN 1 AND 200),
  said_at     timestamptz NOT NULL DEFAULT now(),
  CHECK ((a_venue, a_market_id) < (b_venue, b_market_id)),
  CHECK ((action = 'pin') = (polarity IS NOT NULL))
);
CREATE INDEX match_overrides_pair ON match_overrides (a_venue, a_market_id, b_venue, b_market_id, id DESC);

CREATE FUNCTION match_overrides_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'match_overrides is append-only: say a new word instead';
END
$$;
CREATE TRIGGER match_overrides_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_overrides
  FOR EACH STATEMENT EXECUTE FUNCTION match_overrides_append_only();

-- Search by title, the common one, in a table of its own: narrow, with what a hit is filtered and sorted by beside its words, so that the
-- best of ten thousand hits are found without looking at ten thousand wide rows elsewhere. Ranks change all day; no index holds them, and
-- the free space lets PostgreSQL change a row in place.

CREATE TABLE catalog_titles (
  kind           "char" NOT NULL,
  venue          text COLLATE "C" NOT NULL,
  id             text COLLATE "C" NOT NULL,
  -- These four are the row's own, repeated.
  active         boolean NOT NULL,
  volume_rank    double precision NOT NULL,
  liquidity_rank double precision NOT NULL,
  newest_rank    double precision NOT NULL,
  title          tsvector NOT NULL,
  PRIMARY KEY (kind, venue, id)
) WITH (fillfactor = 70);

INSERT INTO catalog_titles
  SELECT w.kind, w.venue, w.id, r.active, r.volume_rank, r.liquidity_rank, r.newest_rank, w.title
  FROM catalog_words w JOIN catalog_markets r ON r.venue = w.venue AND r.id = w.id WHERE w.kind = 'm'
  UNION ALL
  SELECT w.kind, w.venue, w.id, r.active, r.volume_rank, r.liquidity_rank, r.newest_rank, w.title
  FROM catalog_words w JOIN catalog_events r ON r.venue = w.venue AND r.id = w.id WHERE w.kind = 'e';

-- Without a pending list, which every search would have to read through.
CREATE INDEX catalog_titles_markets ON catalog_titles USING gin (title) WITH (fastupdate = off) WHERE kind = 'm';
CREATE INDEX catalog_titles_events ON catalog_titles USING gin (title) WITH (fastupdate = off) WHERE kind = 'e';

ALTER TABLE catalog_words DROP COLUMN title;
