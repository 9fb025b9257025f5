-- Fixtures as the sports engine built them. A pass writes only what it says anew; who asks for what is newer than what he has reads that.

CREATE TABLE sports_fixtures (
  id       text COLLATE "C" PRIMARY KEY,
  -- The pass that wrote it last.
  pass     bigint NOT NULL,
  built_at timestamptz NOT NULL,
  -- What lists need. Null: it is gone, and the row stays for a day so that readers hear of it.
  head     jsonb,
  -- Its markets.
  entries  jsonb
);
CREATE INDEX sports_fixtures_pass ON sports_fixtures (pass);

-- One row: how the engine stands.
CREATE TABLE sports_state (
  only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- The last pass that was written whole.
  pass         bigint NOT NULL,
  -- When the catalog was read that this pass is made of.
  read_at      timestamptz NOT NULL,
  heartbeat_at timestamptz NOT NULL,
  totals       jsonb NOT NULL
);
