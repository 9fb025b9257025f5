-- Risk limits: what orders of an account may not exceed before they leave, every change of them, and the scope of keys that may change them.

CREATE TABLE risk_limits (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  -- Null: all keys of the account together.
  key_id     uuid,
  -- Null: all venues together.
  venue      text,
  kind       text NOT NULL CHECK (kind IN
    ('notional', 'openNotional', 'openOrders', 'position', 'orderRate', 'priceCollar', 'dailyLoss', 'exposure')),
  -- Contracts, USD, orders, orders per minute or probability, by kind.
  value      numeric NOT NULL CHECK (value >= 0 AND value < 'Infinity'),
  on_breach  text NOT NULL CHECK (on_breach IN ('refuse', 'halt')),
  -- The key's id, or the name of the operator.
  set_by     text NOT NULL CHECK (length(set_by) BETWEEN 1 AND 200),
  set_at     timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (account_id, key_id, venue, kind)
);

CREATE TABLE risk_limit_audit (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  action         text NOT NULL CHECK (action IN ('set', 'remove')),
  account_id     uuid NOT NULL,
  key_id         uuid,
  venue          text,
  kind           text NOT NULL,
  -- After the change; null: removed.
  value          numeric,
  on_breach      text,
  -- Before the change; null: there was none.
  previous_value numeric,
  changed_by     text NOT NULL CHECK (length(changed_by) BETWEEN 1 AND 200),
  at             timestamptz NOT NULL,
  CHECK ((action = 'set') = (value IS NOT NULL))
);
CREATE INDEX risk_limit_audit_account ON risk_limit_audit (account_id, id DESC);
CREATE TRIGGER risk_limit_audit_append_only BEFORE UPDATE OR DELETE ON risk_limit_audit
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Orders that were claimed within the last minute under a limit of their rate. Times of the database's clock.
CREATE TABLE risk_order_times (
  account_id uuid NOT NULL,
  key_id     uuid NOT NULL,
  venue      text NOT NULL,
  at         timestamptz NOT NULL
);
CREATE INDEX risk_order_times_account ON risk_order_times (account_id, at);

-- What an account had gained or lost in all, by venue, when its day began (UTC): the loss of the day is counted from there.
CREATE TABLE risk_day_starts (
  account_id uuid NOT NULL REFERENCES accounts (id),
  day        date NOT NULL,
  venue      text NOT NULL,
  -- USD, realised and marked; below zero: lost.
  pnl        numeric NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (account_id, day, venue)
);

-- Orders of an outcome that have fills: they make up its position.
CREATE INDEX executions_traded ON executions (account_id, venue, (terms->>'outcomeId'))
  WHERE intent IN ('order', 'modify') AND (status = 'filled' OR matched_size > 0);

-- `admin`: may change the risk limits of every account. No existing key has it.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes_check
  CHECK (scopes <@ ARRAY['read', 'trade', 'review', 'admin'] AND cardinality(scopes) > 0);
