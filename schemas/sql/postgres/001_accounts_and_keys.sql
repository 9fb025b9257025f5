-- Accounts, their API keys, and what a deployment keeps about itself.

CREATE TABLE settings (
  name       text PRIMARY KEY,
  value      bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE accounts (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- What the operator calls it.
  name       text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id    uuid NOT NULL REFERENCES accounts (id),
  -- The key itself is shown once and never stored. 256 random bits need no slow hash.
  sha256        bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
  -- The first characters, so that its owner recognises it in a list.
  prefix        text NOT NULL,
  plan          text NOT NULL CHECK (plan IN ('free', 'builder', 'pro', 'enterprise')),
  scopes        text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'trade'] AND cardinality(scopes) > 0),
  created_at    timestamptz NOT NULL DEFAULT now(),
  -- May lie ahead: a rotated key that still works for a while.
  revoked_at    timestamptz,
  -- A day, not a moment: one write per key and day is enough to find forgotten keys.
  last_used_day date
);
CREATE INDEX api_keys_account ON api_keys (account_id, created_at);

CREATE TABLE run_log (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job         text NOT NULL,
  started_at  timestamptz NOT NULL,
  -- Null while it runs, or for ever when its process died.
  finished_at timestamptz,
  ok          boolean,
  counts      jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX run_log_job ON run_log (job, id DESC);
