-- Markets, outcomes, events and series as the venues describe them. `doc` is the whole row as users read it; the other columns exist to
-- filter and to sort. Ids compare by bytes (COLLATE "C") so that a keyset walk is the same on every server.
--
-- *_rank columns are what a list is sorted by, ascending and never null: minus the value, or infinity where nobody knows the value. With
-- that, "greatest first, unknown last" is a plain row comparison, which an index answers from any position.

CREATE TABLE catalog_markets (
  venue          text COLLATE "C" NOT NULL,
  id             text COLLATE "C" NOT NULL,
  event_id       text COLLATE "C",
  -- Place within its event.
  position       integer NOT NULL,
  slug           text COLLATE "C",
  category       text,
  tags           text[] NOT NULL,
  active         boolean NOT NULL,
  volume_rank    double precision NOT NULL,
  liquidity_rank double precision NOT NULL,
  newest_rank    double precision NOT NULL,
  -- Of `doc` and `position`: an equal digest means nothing to write.
  digest         bytea NOT NULL,
  doc            jsonb NOT NULL,
  PRIMARY KEY (venue, id)
);
CREATE INDEX catalog_markets_volume ON catalog_markets (venue, active, volume_rank, id);
CREATE INDEX catalog_markets_liquidity ON catalog_markets (venue, active, liquidity_rank, id);
CREATE INDEX catalog_markets_newest ON catalog_markets (venue, active, newest_rank, id);
CREATE INDEX catalog_markets_event ON catalog_markets (venue, event_id, position);
CREATE INDEX catalog_markets_slug ON catalog_markets (slug, venue);
CREATE INDEX catalog_markets_category ON catalog_markets (category, venue);
CREATE INDEX catalog_markets_tags ON catalog_markets USING gin (tags);

CREATE TABLE catalog_events (
  venue          text COLLATE "C" NOT NULL,
  id             text COLLATE "C" NOT NULL,
  series_id      text COLLATE "C",
  slug           text COLLATE "C",
  category       text,
  tags           text[] NOT NULL,
  -- At least one of its markets is.
  active         boolean NOT NULL,
  volume_rank    double precision NOT NULL,
  liquidity_rank double precision NOT NULL,
  newest_rank    double precision NOT NULL,
  digest         bytea NOT NULL,
  -- Without `markets`: they are read from their own table.
  doc            jsonb NOT NULL,
  PRIMARY KEY (venue, id)
);
CREATE INDEX catalog_events_volume ON catalog_events (venue, active, volume_rank, id);
CREATE INDEX catalog_events_liquidity ON catalog_events (venue, active, liquidity_rank, id);
CREATE INDEX catalog_events_newest ON catalog_events (venue, active, newest_rank, id);
CREATE INDEX catalog_events_series ON catalog_events (series_id, venue);
CREATE INDEX catalog_events_slug ON catalog_events (slug, venue);
CREATE INDEX catalog_events_category ON catalog_events (category, venue);
CREATE INDEX catalog_events_tags ON catalog_events USING gin (tags);

-- One outcome id may name several markets of a venue; usually it names one.
CREATE TABLE catalog_outcomes (
  venue      text COLLATE "C" NOT NULL,
  outcome_id text COLLATE "C" NOT NULL,
  market_id  text COLLATE "C" NOT NULL,
  PRIMARY KEY (venue, outcome_id, market_id)
);
CREATE INDEX catalog_outcomes_market ON catalog_outcomes (venue, market_id, outcome_id);

CREATE TABLE catalog_series (
  venue      text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  slug       text COLLATE "C",
  recurrence text,
  title      text NOT NULL,
  digest     bytea NOT NULL,
  doc        jsonb NOT NULL,
  PRIMARY KEY (venue, id)
);

-- When the venue last said what a row says, epoch ms. Apart from the rows, because it changes on every pass while most rows do not;
-- the free space lets PostgreSQL change it in place. Locking a mark is also what keeps two writers of one row in order.
CREATE TABLE catalog_marks (
  kind  "char" NOT NULL,
  venue text COLLATE "C" NOT NULL,
  id    text COLLATE "C" NOT NULL,
  as_of double precision NOT NULL,
  PRIMARY KEY (kind, venue, id)
) WITH (fillfactor = 60);

-- Words for search, 'm' for markets and 'e' for events. Apart from the rows, because prices and volumes change all day and words do not.
CREATE TABLE catalog_words (
  kind        "char" NOT NULL,
  venue       text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  digest      bytea NOT NULL,
  title       tsvector NOT NULL,
  description tsvector NOT NULL,
  PRIMARY KEY (kind, venue, id)
);
CREATE INDEX catalog_words_title ON catalog_words USING gin (title);
CREATE INDEX catalog_words_description ON catalog_words USING gin (description);
