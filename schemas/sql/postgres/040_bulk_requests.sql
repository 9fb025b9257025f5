-- Requests for many operations: what a repeated request must be identical to and, where the request selects them, which orders it cancels.

CREATE TABLE bulk_requests (
  account_id      uuid NOT NULL REFERENCES accounts (id),
  kind            text NOT NULL CHECK (kind IN ('build', 'submit', 'cancelAll')),
  key             text NOT NULL CHECK (length(key) > 0),
  -- Never of a signature or a credential.
  body_sha256     bytea NOT NULL CHECK (length(body_sha256) = 32),
  -- Of `cancelAll`, newest first.
  execution_ids   uuid[] NOT NULL DEFAULT '{}',
  conditional_ids uuid[] NOT NULL DEFAULT '{}',
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (account_id, kind, key)
);
CREATE TRIGGER bulk_requests_append_only BEFORE UPDATE OR DELETE ON bulk_requests
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
