-- Executions: what a caller wants at a venue, from the built artifact to its end, and everything that makes a retry harmless.

CREATE TABLE executions (
  id                 uuid PRIMARY KEY,
  -- Newest first, whatever the clock did.
  seq                bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id         uuid NOT NULL REFERENCES accounts (id),
  key_id             uuid NOT NULL,
  venue              text NOT NULL,
  intent             text NOT NULL CHECK (intent IN ('order', 'cancel', 'modify', 'redeem')),
  status             text NOT NULL CHECK (status IN ('built', 'signed', 'submitted', 'acked', 'filled', 'failed', 'expired', 'canceled')),
  build_version      integer NOT NULL,
  -- Canonical JSON (RFC 8785) and its hash: what was built is what is sent, byte for byte.
  unsigned           text NOT NULL,
  unsigned_sha256    bytea NOT NULL CHECK (length(unsigned_sha256) = 32),
  bounds             jsonb NOT NULL,
  terms              jsonb,
  owner              text,
  client_ref         text,
  submitted_artifact jsonb,
  venue_ref          text,
  notional_usd       numeric,
  fee_estimate       jsonb,
  warnings           text[] NOT NULL DEFAULT '{}',
  collateral         jsonb,
  build_result       jsonb,
  error              text,
  -- Of cancel and modify: what they act on.
  target_id          uuid REFERENCES executions (id),
  -- Day whose spend caps hold its notional; null when nothing is held (any more).
  spend_day          date,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL
);
CREATE INDEX executions_account ON executions (account_id, seq DESC);
-- One venue order is one execution of an account: an order found by its likeness cannot be another's.
CREATE UNIQUE INDEX executions_venue_ref ON executions (account_id, venue, venue_ref) WHERE intent = 'order' AND venue_ref IS NOT NULL;
-- What the reconciler looks at.
CREATE INDEX executions_open ON executions (venue, updated_at) WHERE status IN ('submitted', 'acked');

-- A key belongs to one attempt of one account for ever.
CREATE TABLE execution_keys (
  account_id   uuid NOT NULL REFERENCES accounts (id),
  kind         text NOT NULL CHECK (kind IN ('build', 'cancel', 'modify', 'submit')),
  key          text NOT NULL CHECK (length(key) > 0),
  body_sha256  bytea NOT NULL CHECK (length(body_sha256) = 32),
  execution_id uuid NOT NULL REFERENCES executions (id) DEFERRABLE INITIALLY DEFERRED,
  -- Of submits, once it is known: what the relay said.
  outcome      jsonb,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (account_id, kind, key)
);
CREATE INDEX execution_keys_execution ON execution_keys (execution_id);

CREATE TABLE execution_fills (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  execution_id uuid NOT NULL REFERENCES executions (id),
  account_id   uuid NOT NULL,
  venue        text NOT NULL,
  -- The venue's own id: a fill is appended once, however often it is told.
  venue_key    text NOT NULL,
  fill         jsonb NOT NULL,
  filled_at    timestamptz NOT NULL,
  UNIQUE (execution_id, venue_key)
);
CREATE INDEX execution_fills_account ON execution_fills (account_id, venue, id);

CREATE TABLE execution_audit (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  execution_id uuid NOT NULL,
  -- Null for the building.
  from_status  text,
  to_status    text NOT NULL,
  -- The word of the state machine's table.
  event        text NOT NULL,
  at           timestamptz NOT NULL
);
CREATE INDEX execution_audit_execution ON execution_audit (execution_id, id);

-- A short right to submit, held by one attempt at a time.
CREATE TABLE execution_reservations (
  id           uuid PRIMARY KEY,
  execution_id uuid NOT NULL REFERENCES executions (id),
  account_id   uuid NOT NULL,
  state        text NOT NULL CHECK (state IN ('live', 'consumed', 'released')),
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL
);
CREATE INDEX execution_reservations_execution ON execution_reservations (execution_id, created_at);

-- Events in the transaction of what they tell; whoever delivers them takes them from here.
CREATE TABLE outbox (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event      text NOT NULL,
  -- Null: for everybody.
  account_id uuid,
  payload    jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  taken_at   timestamptz
);
CREATE INDEX outbox_waiting ON outbox (id) WHERE taken_at IS NULL;

-- Dollars a day an account, or one of its keys, may commit. Scope is the account's or the key's id.
CREATE TABLE spend_caps (
  scope_id  uuid PRIMARY KEY,
  daily_usd numeric NOT NULL CHECK (daily_usd >= 0)
);
-- The check refuses the statement that would go beyond, and everything in it.
CREATE TABLE spend_reserved (
  scope_id uuid NOT NULL,
  day      date NOT NULL,
  reserved numeric NOT NULL CHECK (reserved >= 0),
  cap      numeric NOT NULL,
  CONSTRAINT spend_cap CHECK (reserved <= cap),
  PRIMARY KEY (scope_id, day)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER execution_audit_append_only BEFORE UPDATE OR DELETE ON execution_audit
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER execution_fills_append_only BEFORE UPDATE OR DELETE ON execution_fills
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
