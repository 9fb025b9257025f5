-- How sure a relation is, beside how alike two questions are, and what follows within one event of one venue.

-- Null where nothing is known. Rows of runs before this hold none: the next run writes them anew.
ALTER TABLE match_pairs ADD COLUMN relation_band text CHECK (relation_band IN ('verified', 'minor', 'material'));

CREATE TABLE match_event_relations (
  id         text COLLATE "C" PRIMARY KEY,
  venue      text COLLATE "C" NOT NULL,
  event_id   text COLLATE "C" NOT NULL,
  -- The relation as its readers have it; its band is checked here, its form where it is made.
  relation   jsonb NOT NULL CHECK (relation->>'band' IN ('verified', 'minor', 'material')),
  digest     bytea NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX match_event_relations_event ON match_event_relations (venue, event_id);

-- What an operator found when a pair was sampled: a label, never changed. The last one of a pair counts.
CREATE TABLE match_labels (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  a_venue     text COLLATE "C" NOT NULL,
  a_market_id text COLLATE "C" NOT NULL,
  b_venue     text COLLATE "C" NOT NULL,
  b_market_id text COLLATE "C" NOT NULL,
  verdict     text NOT NULL CHECK (verdict IN ('confirm', 'forbid')),
  -- What the matcher said when it was asked, and the words that were shown: the catalog forgets both.
  polarity    text NOT NULL CHECK (polarity IN ('same', 'inverse')),
  score       smallint,
  frame       text,
  a           jsonb NOT NULL,
  b           jsonb NOT NULL,
  reason      text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  said_by     text NOT NULL CHECK (length(said_by) BETWEEN 1 AND 200),
  said_at     timestamptz NOT NULL DEFAULT now(),
  CHECK ((a_venue, a_market_id) < (b_venue, b_market_id))
);
CREATE INDEX match_labels_pair ON match_labels (a_venue, a_market_id, b_venue, b_market_id, id DESC);
