-- Execution algorithms: one order of an account that is worked in slices, each an execution.
CREATE TABLE execution_algorithms (
  id             uuid PRIMARY KEY,
  seq            bigint GENERATED ALWAYS AS IDENTITY,
  account_id     uuid NOT NULL REFERENCES accounts (id),
  key_id         uuid NOT NULL,
  -- The caller's idempotency key and the hash of its request.
  key            text NOT NULL CHECK (length(key) > 0),
  body_sha256    bytea NOT NULL CHECK (length(body_sha256) = 32),
  venue          text NOT NULL,
  market_id      text NOT NULL,
  outcome_id     text NOT NULL,
  side           text NOT NULL CHECK (side IN ('buy', 'sell')),
  parameters     jsonb NOT NULL,
  mode           text NOT NULL CHECK (mode IN ('client', 'hosted')),
  -- Its slices were signed in advance.
  is_signed      boolean NOT NULL,
  -- The venue's build body without what a slice sets, and its cancel body.
  build          jsonb NOT NULL,
  cancel_body    jsonb NOT NULL,
  size           numeric NOT NULL CHECK (size > 0),
  limit_price    numeric NOT NULL CHECK (limit_price > 0 AND limit_price < 1),
  size_step      numeric NOT NULL CHECK (size_step > 0),
  min_slice_size numeric NOT NULL CHECK (min_slice_size > 0),
  post_only      boolean NOT NULL,
  sign_within_ms integer NOT NULL,
  starts_at      timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  arm_country    text,
  arrival_mid    numeric,
  status         text NOT NULL CHECK (status IN ('running', 'ending', 'completed', 'canceled', 'expired', 'failed')),
  -- The status that follows `ending`.
  ends_as        text CHECK (ends_as IN ('completed', 'canceled', 'expired', 'failed')),
  wait_reason    text,
  last_error     text,
  -- Of all slices, at the last step; null: not known of one of them.
  filled_size    numeric,
  average_price  numeric,
  -- Slices in a row that failed or were refused, and that were not submitted in time.
  failures       integer NOT NULL DEFAULT 0,
  unsigned_count integer NOT NULL DEFAULT 0,
  -- When its next step is due.
  due_at         timestamptz NOT NULL,
  -- While a process takes a step: another one takes over after this.
  leased_until   timestamptz,
  -- Rises with each lease: what is written under a lower one is refused.
  lease_epoch    bigint NOT NULL DEFAULT 0,
  ended_at       timestamptz,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  UNIQUE (account_id, key),
  CHECK ((status = 'ending') = (ends_as IS NOT NULL)),
  CHECK ((status IN ('running', 'ending')) = (ended_at IS NULL))
);
CREATE INDEX execution_algorithms_due ON execution_algorithms (due_at, id) WHERE status IN ('running', 'ending');
CREATE INDEX execution_algorithms_account ON execution_algorithms (account_id, seq DESC);
CREATE INDEX execution_algorithms_running ON execution_algorithms (account_id) WHERE status IN ('running', 'ending');

CREATE TABLE execution_algorithm_slices (
  algorithm_id  uuid NOT NULL REFERENCES execution_algorithms (id),
  number        integer NOT NULL CHECK (number >= 0),
  -- planned: signed in advance, and not used yet. decided: its price and size are fixed, and it is being built.
  status        text NOT NULL CHECK (status IN ('planned', 'decided', 'awaiting_signature', 'ready', 'sent', 'ended')),
  -- Number of the interval or phase for which it was decided.
  stage         integer NOT NULL,
  price         numeric NOT NULL CHECK (price > 0 AND price < 1),
  size          numeric NOT NULL CHECK (size > 0),
  takes         boolean NOT NULL,
  execution_id  uuid REFERENCES executions (id),
  sign_by       timestamptz,
  attempts      integer NOT NULL DEFAULT 0,
  -- The newest cancel, and how many were built.
  cancel_id     uuid REFERENCES executions (id),
  cancels       integer NOT NULL DEFAULT 0,
  canceled_at   timestamptz,
  -- What the venue had reported when it ended; null: unknown.
  filled_size   numeric,
  -- Of its fills, before fees; null: not known, or it had none.
  average_price numeric,
  outcome       text CHECK (outcome IN ('filled', 'canceled', 'expired', 'failed', 'refused', 'unsigned', 'withdrawn')),
  error         text,
  -- The submit body of a slice that was signed in advance: AES-256-GCM, the id of its key, and the hash of its text. Erased at its end.
  sealed        bytea,
  sealed_key    text,
  sealed_sha256 bytea,
  decided_at    timestamptz NOT NULL,
  ended_at      timestamptz,
  PRIMARY KEY (algorithm_id, number),
  CHECK ((status = 'ended') = (outcome IS NOT NULL)),
  CHECK ((status = 'ended') = (ended_at IS NOT NULL)),
  CHECK (status <> 'ended' OR sealed IS NULL),
  CHECK (status IN ('decided', 'ended') OR execution_id IS NOT NULL)
);
-- An algorithm has one live slice at a time.
CREATE UNIQUE INDEX execution_algorithm_slices_live ON execution_algorithm_slices (algorithm_id)
  WHERE status IN ('decided', 'awaiting_signature', 'ready', 'sent');
-- An execution is one slice.
CREATE UNIQUE INDEX execution_algorithm_slices_execution ON execution_algorithm_slices (execution_id);

-- What the order stream reports, numbered.
CREATE TABLE execution_algorithm_events (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  algorithm_id uuid NOT NULL REFERENCES execution_algorithms (id),
  event        text NOT NULL,
  at           timestamptz NOT NULL
);
CREATE INDEX execution_algorithm_events_algorithm ON execution_algorithm_events (algorithm_id, id DESC);
