-- An accepted cancel is at its end as far as anybody looks for it; it must not stand before orders that are still open.

DROP INDEX executions_open;
CREATE INDEX executions_open ON executions (venue, updated_at, id)
  WHERE status IN ('submitted', 'acked') AND NOT (intent = 'cancel' AND status = 'acked');
