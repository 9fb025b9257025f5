-- What the owner of an account entered in the portfolio: positions acquired elsewhere, and transfers of cash. And the indexes by which the
-- portfolio finds the executions that changed it.

CREATE TABLE portfolio_imports (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id      uuid NOT NULL REFERENCES accounts (id),
  key_id          uuid NOT NULL,
  idempotency_key text NOT NULL CHECK (length(idempotency_key) > 0),
  body_sha256     bytea NOT NULL CHECK (length(body_sha256) = 32),
  kind            text NOT NULL CHECK (kind IN ('position', 'transfer')),
  venue           text NOT NULL,
  -- The owner's own name of it: each is entered once.
  ref             text NOT NULL CHECK (length(ref) BETWEEN 1 AND 200),
  -- Symbol; null: unknown.
  currency        text,
  market_id       text,
  outcome_id      text,
  -- Contracts or shares; below zero: a short position, or what undoes an earlier entry. Its cost has the same sign.
  size            numeric CHECK (size <> 0),
  -- Null: unknown.
  cost            numeric,
  -- Above zero: paid in.
  cash            numeric CHECK (cash <> 0),
  at              timestamptz NOT NULL,
  created_at      timestamptz NOT NULL,
  CHECK (cost IS NULL OR cost = 0 OR sign(cost) = sign(size)),
  CHECK (CASE kind
    WHEN 'position' THEN market_id IS NOT NULL AND outcome_id IS NOT NULL AND size IS NOT NULL AND cash IS NULL
    ELSE market_id IS NULL AND outcome_id IS NULL AND size IS NULL AND cost IS NULL AND cash IS NOT NULL
  END),
  UNIQUE (account_id, venue, ref),
  UNIQUE (account_id, idempotency_key)
);
CREATE INDEX portfolio_imports_account ON portfolio_imports (account_id, id);
CREATE TRIGGER portfolio_imports_append_only BEFORE UPDATE OR DELETE ON portfolio_imports
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Redemptions that completed.
CREATE INDEX executions_redeemed ON executions (account_id, id) WHERE intent = 'redeem' AND status = 'filled';
-- Orders of which the venue has reported something as filled.
CREATE INDEX executions_matched ON executions (account_id, id) WHERE matched_size > 0;
