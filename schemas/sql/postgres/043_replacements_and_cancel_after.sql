-- Replacements: a new order that may only be submitted once the order that it replaces has ended, for no more than was left of that one.
CREATE TABLE order_replacements (
  account_id  uuid NOT NULL REFERENCES accounts (id),
  -- The caller's idempotency key and the hash of its request.
  key         text NOT NULL CHECK (length(key) > 0),
  body_sha256 bytea NOT NULL CHECK (length(body_sha256) = 32),
  replaces_id uuid NOT NULL REFERENCES executions (id),
  -- The execution of the new order. Written before that one is built, so that it never exists without its condition: no foreign key.
  order_id    uuid NOT NULL UNIQUE,
  -- Of the new order.
  size        numeric NOT NULL CHECK (size > 0),
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX order_replacements_replaced ON order_replacements (replaces_id, order_id);
CREATE TRIGGER order_replacements_append_only BEFORE UPDATE OR DELETE ON order_replacements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The account's dead man's switch: unless it is set again before its deadline, the cancels of its orders in flight are built.
CREATE TABLE cancel_after (
  id           uuid PRIMARY KEY,
  account_id   uuid NOT NULL REFERENCES accounts (id),
  key_id       uuid NOT NULL,
  seconds      integer NOT NULL CHECK (seconds BETWEEN 5 AND 3600),
  -- Null: every venue.
  venues       text[] CHECK (cardinality(venues) > 0),
  -- By venue: fields of its cancel body.
  fields       jsonb NOT NULL,
  deadline     timestamptz NOT NULL,
  -- lapsed: the cancels are being built.
  status       text NOT NULL CHECK (status IN ('armed', 'off', 'lapsed', 'done')),
  -- Of `done`.
  result       jsonb,
  attempts     integer NOT NULL DEFAULT 0,
  -- While a process builds the cancels: another one takes over after this. Between two attempts: not to be retried before.
  leased_until timestamptz,
  -- Rises with each lease: what is written under a lower one is refused.
  lease_epoch  bigint NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL
);
CREATE UNIQUE INDEX cancel_after_armed ON cancel_after (account_id) WHERE status = 'armed';
CREATE INDEX cancel_after_deadline ON cancel_after (deadline) WHERE status = 'armed';
CREATE INDEX cancel_after_lapsed ON cancel_after (leased_until) WHERE status = 'lapsed';
CREATE INDEX cancel_after_latest ON cancel_after (account_id, deadline) WHERE status IN ('lapsed', 'done');
