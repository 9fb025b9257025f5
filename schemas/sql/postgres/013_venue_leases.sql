-- Which ingest process feeds a venue: one living owner each, by lease.
CREATE TABLE ingest_processes (
  id text PRIMARY KEY,
  -- What it could feed.
  venues text[] NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE venue_leases (
  venue text PRIMARY KEY,
  -- Empty: given back.
  holder text NOT NULL,
  -- Rises with every taking; readers and the tape drop what is said under a lower one.
  epoch bigint NOT NULL,
  expires_at timestamptz NOT NULL
);
