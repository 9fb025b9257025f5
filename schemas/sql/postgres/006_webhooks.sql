-- Webhook endpoints, and what is or was to be told to each.

CREATE TABLE webhook_endpoints (
  id            uuid PRIMARY KEY,
  -- Newest first, whatever the clock did.
  seq           bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id    uuid NOT NULL REFERENCES accounts (id),
  url           text NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  events        text[] NOT NULL CHECK (cardinality(events) > 0),
  active        boolean NOT NULL DEFAULT true,
  -- AES-256-GCM: nonce, ciphertext and tag in one; the endpoint's id is authenticated with it.
  secret_sealed bytea NOT NULL,
  created_at    timestamptz NOT NULL,
  -- How its last attempt went: slow or failing receivers wait among themselves.
  standing      text NOT NULL DEFAULT 'new' CHECK (standing IN ('new', 'good', 'bad')),
  -- When somebody should look at its queue; null while it is empty.
  due_at        timestamptz,
  -- Held by the process that works on its queue, so that no two do.
  lease         uuid,
  leased_until  timestamptz,
  -- Counts what was queued for it: tells whoever lets go of the queue that it is not as it was.
  queued_count  bigint NOT NULL DEFAULT 0
);
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id, seq DESC);
CREATE INDEX webhook_endpoints_due ON webhook_endpoints (standing, due_at) WHERE due_at IS NOT NULL;

CREATE TABLE webhook_deliveries (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- In order of commit: rows are made by one process at a time.
  seq          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  endpoint_id  uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  outbox_id    bigint NOT NULL,
  event        text NOT NULL,
  payload      jsonb NOT NULL,
  status       text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'delivered', 'failed')),
  attempts     integer NOT NULL DEFAULT 0,
  due_at       timestamptz NOT NULL,
  -- What came of the last attempt, in a word. For operators.
  last_result  text,
  created_at   timestamptz NOT NULL,
  delivered_at timestamptz,
  -- An event is told to an endpoint by one delivery, however often the outbox is read.
  UNIQUE (endpoint_id, outbox_id)
);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, seq);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at, seq) WHERE status = 'queued';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE status <> 'queued';
CREATE INDEX outbox_taken ON outbox (taken_at) WHERE taken_at IS NOT NULL;
