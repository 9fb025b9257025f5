-- Brackets: a take-profit and a stop that are built and armed once an entry order has ended, sized by what was filled of it.
CREATE TABLE brackets (
  id             uuid PRIMARY KEY,
  account_id     uuid NOT NULL REFERENCES accounts (id),
  key_id         uuid NOT NULL,
  -- The caller's idempotency key and the hash of its request.
  key            text NOT NULL CHECK (length(key) > 0),
  body_sha256    bytea NOT NULL CHECK (length(body_sha256) = 32),
  entry_id       uuid NOT NULL REFERENCES executions (id),
  -- waiting: for the entry's end. arming: the size is fixed, and the exits are being built and armed.
  status         text NOT NULL CHECK (status IN ('waiting', 'arming', 'armed', 'unfilled', 'failed', 'canceled', 'expired')),
  -- Of each exit: its trigger and its build body without a size, as given. Null: there is none.
  take_profit    jsonb,
  stop_loss      jsonb,
  -- Only one of both fires.
  oco_group_id   uuid NOT NULL,
  expires_at     timestamptz NOT NULL,
  arm_country    text,
  -- What was filled of the entry when the exits were first built; does not change afterwards.
  filled_size    numeric CHECK (filled_size > 0),
  -- The conditional orders.
  take_profit_id uuid REFERENCES conditional_orders (id),
  stop_loss_id   uuid REFERENCES conditional_orders (id),
  attempts       integer NOT NULL DEFAULT 0,
  last_error     text,
  -- While a process arms it: another one takes over after this. Between two attempts: not to be retried before.
  leased_until   timestamptz,
  -- Rises with each lease: what is written under a lower one is refused.
  lease_epoch    bigint NOT NULL DEFAULT 0,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  UNIQUE (account_id, key),
  CHECK (take_profit IS NOT NULL OR stop_loss IS NOT NULL)
);
-- An entry has one open bracket: two would sell what was filled twice.
CREATE UNIQUE INDEX brackets_entry ON brackets (entry_id) WHERE status IN ('waiting', 'arming', 'armed');
CREATE INDEX brackets_open ON brackets (account_id) WHERE status IN ('waiting', 'arming');
CREATE INDEX brackets_arming ON brackets (leased_until, id) WHERE status = 'arming';
CREATE INDEX brackets_expiry ON brackets (expires_at, id) WHERE status IN ('waiting', 'arming');
