-- Figures of venues as wholes, one a reporting day. What nobody told on a day has no row of it, for ever.
CREATE TABLE venue_metrics (
  venue       text COLLATE "C" NOT NULL,
  metric      text COLLATE "C" NOT NULL,
  -- UTC.
  day         date NOT NULL,
  value       double precision NOT NULL,
  unit        text NOT NULL,
  -- Whose word it is: venue, catalog, tape.
  source      text NOT NULL,
  scope       text NOT NULL,
  read_at     text NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (venue, metric, day)
);

-- Who gathers a venue's figures now, and up to which day each part of them was gathered.
CREATE TABLE venue_metric_jobs (
  venue       text COLLATE "C" PRIMARY KEY,
  holder      text NOT NULL,
  expires_at  timestamptz NOT NULL,
  venue_day   date,
  catalog_day date,
  tape_day    date
);
