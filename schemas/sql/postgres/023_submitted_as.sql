-- As whom an order was submitted: a mark of the account's name at its venue, keyed by a secret of this deployment. Never of a credential that
-- must stay secret.

ALTER TABLE executions ADD COLUMN submitted_as bytea CHECK (length(submitted_as) = 32);

-- The cancellations of an order.
CREATE INDEX executions_cancellations ON executions (target_id) WHERE intent = 'cancel';
