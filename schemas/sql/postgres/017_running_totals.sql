-- What venues said of their markets' running totals in the last day and a little more: the base of volumes that no venue tells (decision 26).
-- One row a market. A total holds from its `at` until the next one's; `heard` is when the last of them was still true. A silence that is too
-- long, or a total that falls for good, begins the row anew. Nothing here is indexed but the key, and the free space lets PostgreSQL
-- change rows in place.
CREATE TABLE catalog_running_totals (
  venue  text COLLATE "C" NOT NULL,
  id     text COLLATE "C" NOT NULL,
  -- Epoch ms, ascending; at most one of them is older than a day.
  at     double precision[] NOT NULL,
  -- In the venue's unit, as long as `at`, never falling.
  totals double precision[] NOT NULL,
  -- Epoch ms.
  heard  double precision NOT NULL,
  PRIMARY KEY (venue, id)
) WITH (fillfactor = 60);
