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
