-- Splits, merges and conversions of shares at the contracts that hold them, and orders of which something was filled.

ALTER TABLE executions DROP CONSTRAINT executions_intent_check;
ALTER TABLE executions ADD CONSTRAINT executions_intent_check
  CHECK (intent IN ('order', 'cancel', 'modify', 'redeem', 'split', 'merge', 'convert'));

-- Those that completed.
CREATE INDEX executions_exchanged ON executions (account_id, id)
  WHERE intent IN ('split', 'merge', 'convert') AND status = 'filled';

-- Orders that were filled, with the size that the venue reported or without one.
DROP INDEX executions_matched;
CREATE INDEX executions_matched ON executions (account_id, id)
  WHERE intent IN ('order', 'modify') AND (status = 'filled' OR matched_size > 0);
