-- Conditional orders: what waits for a price, from its arming to its end, and everything that lets it fire once.

-- Of several orders of a group one fires. The group's row is locked by whoever begins an attempt for one of them.
CREATE TABLE oco_groups (
  account_id uuid NOT NULL REFERENCES accounts (id),
  -- The caller's name of it.
  id         uuid NOT NULL,
  -- The order that fired; null while the group is open.
  winner_id  uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);

CREATE TABLE conditional_orders (
  id               uuid PRIMARY KEY,
  -- Newest first, whatever the clock did.
  seq              bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id       uuid NOT NULL REFERENCES accounts (id),
  key_id           uuid NOT NULL,
  execution_id     uuid NOT NULL REFERENCES executions (id),
  venue            text NOT NULL,
  market_id        text NOT NULL,
  outcome_id       text NOT NULL,
  status           text NOT NULL CHECK (status IN ('armed', 'triggered', 'firing', 'fired', 'fire_failed', 'canceled', 'expired', 'superseded')),
  fire_mode        text NOT NULL CHECK (fire_mode IN ('hosted', 'client')),
  -- With every default written out.
  trigger_rule     jsonb NOT NULL,
  trigger_evidence jsonb,
  triggered_at     timestamptz,
  expires_at       timestamptz NOT NULL,
  -- Counted before each attempt begins.
  fire_attempts    integer NOT NULL DEFAULT 0,
  last_error       text,
  oco_group_id     uuid,
  -- Where the trusted edge said the caller was.
  arm_country      text,
  -- The signed artifact: AES-256-GCM under the named key. Gone with the statement that ends the order.
  sealed           bytea,
  seal_key_id      text,
  artifact_sha256  bytea,
  -- Who fires it. The epoch rises with every taking: what is done under a lower one is refused.
  lease_owner      text,
  lease_epoch      bigint NOT NULL DEFAULT 0,
  leased_until     timestamptz,
  -- Between two attempts, when nobody holds it.
  retry_at         timestamptz,
  -- The transaction that wrote it last: readers that follow the table miss no commit.
  changed_in       xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  FOREIGN KEY (account_id, oco_group_id) REFERENCES oco_groups (account_id, id),
  CONSTRAINT conditional_orders_artifact CHECK (
    (sealed IS NOT NULL) = (fire_mode = 'hosted' AND status IN ('armed', 'triggered', 'firing'))
    AND (sealed IS NULL) = (seal_key_id IS NULL) AND (sealed IS NULL) = (artifact_sha256 IS NULL))
);
CREATE INDEX conditional_orders_account ON conditional_orders (account_id, seq DESC);
-- An execution is promised to one living order.
CREATE UNIQUE INDEX conditional_orders_living ON conditional_orders (execution_id) WHERE status IN ('armed', 'triggered', 'firing');
CREATE INDEX conditional_orders_execution ON conditional_orders (execution_id, seq DESC);
CREATE INDEX conditional_orders_group ON conditional_orders (account_id, oco_group_id) WHERE oco_group_id IS NOT NULL;
CREATE INDEX conditional_orders_armed ON conditional_orders (id) WHERE status = 'armed';
CREATE INDEX conditional_orders_expiry ON conditional_orders (expires_at, id) WHERE status IN ('armed', 'triggered');
CREATE INDEX conditional_orders_firing ON conditional_orders (triggered_at, id) WHERE fire_mode = 'hosted' AND status IN ('triggered', 'firing');
CREATE INDEX conditional_orders_changed ON conditional_orders (changed_in, id);
CREATE INDEX conditional_orders_sealed ON conditional_orders (seal_key_id) WHERE sealed IS NOT NULL;

CREATE TABLE conditional_events (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conditional_id uuid NOT NULL REFERENCES conditional_orders (id) DEFERRABLE INITIALLY DEFERRED,
  ts             timestamptz NOT NULL,
  actor          text NOT NULL CHECK (actor IN ('api', 'trigger_engine', 'exec_fire', 'expiry')),
  -- Null for the arming.
  from_status    text,
  to_status      text NOT NULL,
  evidence       jsonb
);
CREATE INDEX conditional_events_order ON conditional_events (conditional_id, id);
CREATE TRIGGER conditional_events_append_only BEFORE UPDATE OR DELETE ON conditional_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A key belongs to one request of one account for ever.
CREATE TABLE conditional_keys (
  account_id     uuid NOT NULL REFERENCES accounts (id),
  kind           text NOT NULL CHECK (kind IN ('arm', 'cancel')),
  key            text NOT NULL CHECK (length(key) > 0),
  body_sha256    bytea NOT NULL CHECK (length(body_sha256) = 32),
  conditional_id uuid NOT NULL REFERENCES conditional_orders (id) DEFERRABLE INITIALLY DEFERRED,
  created_at     timestamptz NOT NULL,
  PRIMARY KEY (account_id, kind, key)
);

-- The conditional order behind which a right to submit was given; null: there was none.
ALTER TABLE execution_reservations ADD COLUMN conditional_id uuid;
