-- Decisions of operators on template pairs (two question texts with placeholders for what they share), the template pairs that still need one,
-- and the scope of keys that may decide.

-- Every decision and withdrawal, in order; the last one of a template pair applies. Never changed, never deleted.
CREATE TABLE match_template_decisions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Of both texts: the first 32 hex digits of their SHA-256.
  key         text COLLATE "C" NOT NULL CHECK (key ~ '^[0-9a-f]{32}$'),
  a           text NOT NULL CHECK (length(a) BETWEEN 1 AND 2000),
  b           text NOT NULL CHECK (length(b) BETWEEN 1 AND 2000),
  action      text NOT NULL CHECK (action IN ('decide', 'withdraw')),
  -- Of a decision; null otherwise.
  verdict     text CHECK (verdict IN ('same', 'different')),
  -- From Yes of a to Yes of b.
  relation    text CHECK (relation IN ('identity', 'complement', 'subset', 'superset', 'overlap', 'disjoint')),
  reasons     jsonb NOT NULL,
  evidence    jsonb NOT NULL,
  -- Pairs of market keys that were shown, the market with the first text first; empty for an imported decision.
  examples    jsonb NOT NULL DEFAULT '[]',
  decided_by  text NOT NULL CHECK (length(decided_by) BETWEEN 1 AND 200),
  -- Of an imported decision: when it was made elsewhere.
  decided_at  timestamptz NOT NULL DEFAULT now(),
  -- The API key, or the user of the command line.
  recorded_by text NOT NULL CHECK (length(recorded_by) BETWEEN 1 AND 200),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((action = 'decide') = (verdict IS NOT NULL)),
  CHECK ((verdict IS NULL) = (relation IS NULL)),
  CHECK (coalesce((verdict = 'same') = (relation IN ('identity', 'complement')), true))
);
CREATE INDEX match_template_decisions_key ON match_template_decisions (key, id DESC);

CREATE FUNCTION match_template_decisions_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'match_template_decisions is append-only: insert a new decision or a withdrawal instead';
END
$$;
CREATE TRIGGER match_template_decisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_template_decisions
  FOR EACH STATEMENT EXECUTE FUNCTION match_template_decisions_append_only();

-- The last decision that a run had read: a greater one means a run is due.
ALTER TABLE match_state ADD COLUMN template_decision_id bigint NOT NULL DEFAULT 0;

-- Template pairs without a decision, as of the last run: the most valuable ones.
CREATE TABLE match_open_template_pairs (
  key           text COLLATE "C" PRIMARY KEY,
  a             text NOT NULL,
  b             text NOT NULL,
  slots         jsonb NOT NULL,
  -- A few pairs of market keys that reduce to it, the market with the first text first.
  examples      jsonb NOT NULL,
  -- Number of market pairs that reduce to it.
  pairs         integer NOT NULL,
  -- Of the examples, all pairs projected; in the venues' own units. Null: no venue reports it.
  open_interest double precision,
  -- Largest difference of Yes prices among the examples, probability. Null: no pair has both prices.
  edge          double precision,
  -- What the list is sorted by: dollars that the difference of prices moves, roughly.
  value         double precision NOT NULL,
  -- Of the row, so that an unchanged one is not written.
  digest        bytea NOT NULL,
  updated_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX match_open_template_pairs_value ON match_open_template_pairs (value DESC, key);

-- `review`: may decide on template pairs for everyone. No existing key has it.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes_check
  CHECK (scopes <@ ARRAY['read', 'trade', 'review'] AND cardinality(scopes) > 0);
