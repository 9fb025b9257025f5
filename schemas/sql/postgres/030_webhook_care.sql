-- Endpoints that are paused and change their secret, deliveries that are sent again, and who changed an endpoint.

ALTER TABLE webhook_endpoints
  -- Sealed as the secret is. They sign beside it until their time, newest first.
  ADD COLUMN old_secrets_sealed bytea[] NOT NULL DEFAULT '{}',
  ADD COLUMN old_secrets_until  timestamptz[] NOT NULL DEFAULT '{}',
  -- Counts what its owner changed: tells whoever works on its queue that what was read of it no longer holds.
  ADD COLUMN revision           integer NOT NULL DEFAULT 0,
  -- `queued_count` when it was paused: tells how much was queued since. A paused endpoint is due never.
  ADD COLUMN paused_count       bigint,
  -- Tests and resends that were asked for since then.
  ADD COLUMN wishes             integer NOT NULL DEFAULT 0,
  ADD COLUMN wishes_since       timestamptz,
  ADD CHECK (active = (paused_count IS NULL)),
  ADD CHECK (cardinality(old_secrets_sealed) = cardinality(old_secrets_until));

ALTER TABLE webhook_deliveries
  -- Null: no event of the outbox, but a test its owner asked for.
  ALTER COLUMN outbox_id DROP NOT NULL,
  -- Of `attempts`, those before it was last sent again.
  ADD COLUMN attempts_before integer NOT NULL DEFAULT 0;

CREATE TABLE webhook_audit (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  action      text NOT NULL CHECK (action IN ('created', 'deleted', 'paused', 'resumed', 'rotated')),
  endpoint_id uuid NOT NULL,
  account_id  uuid NOT NULL,
  -- The key that asked for it.
  key_id      text NOT NULL,
  at          timestamptz NOT NULL
);
CREATE TRIGGER webhook_audit_append_only BEFORE UPDATE OR DELETE ON webhook_audit
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
