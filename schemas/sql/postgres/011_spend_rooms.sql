-- What an execution holds of its caps is no longer its notional: a change holds what it adds to the order it changes, and a build that
-- nobody sends gives its room back.

ALTER TABLE executions ADD COLUMN held_usd numeric NOT NULL DEFAULT 0;
UPDATE executions SET held_usd = notional_usd WHERE spend_day IS NOT NULL AND notional_usd IS NOT NULL;

-- Rooms of what was not sent; only accounts with a cap have any.
CREATE INDEX executions_unsent_rooms ON executions (account_id, updated_at)
  WHERE status IN ('built', 'signed') AND spend_day IS NOT NULL;
-- An order and its changes are found from either end.
CREATE INDEX executions_changes ON executions (target_id) WHERE intent = 'modify';
