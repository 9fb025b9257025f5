-- The switch that stops trading: what is halted now, and every halt and resume there ever was. And an index of what is in flight.

CREATE TABLE trading_halts (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: everybody.
  account_id uuid REFERENCES accounts (id),
  -- Null: every venue.
  venue      text,
  -- Whoever set it lifts it.
  set_by     text NOT NULL CHECK (set_by IN ('account', 'operator')),
  reason     text NOT NULL CHECK (length(reason) BETWEEN 1 AND 300),
  since      timestamptz NOT NULL,
  CHECK (set_by = 'operator' OR account_id IS NOT NULL),
  UNIQUE NULLS NOT DISTINCT (account_id, venue, set_by)
);

CREATE TABLE trading_halt_audit (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  action     text NOT NULL CHECK (action IN ('halt', 'resume')),
  account_id uuid,
  venue      text,
  set_by     text NOT NULL,
  -- The key's id, or the name of the operator.
  said_by    text NOT NULL,
  reason     text NOT NULL,
  at         timestamptz NOT NULL
);
CREATE TRIGGER trading_halt_audit_append_only BEFORE UPDATE OR DELETE ON trading_halt_audit
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What halts an account at a venue, an operator's word first; no row: nothing does. A transaction that asked keeps new halts waiting until
-- it ends, so that nothing is claimed behind a halt's answer. To be asked before any row is locked. Volatile: the table is looked at after
-- the wait, and not as it was before.
CREATE FUNCTION halt_of(of_account uuid, at_venue text) RETURNS SETOF trading_halts LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(724604, 0);
  PERFORM pg_advisory_xact_lock_shared(724604, hashtext(of_account::text));
  RETURN QUERY SELECT h.* FROM trading_halts h
    WHERE (h.account_id = of_account OR h.account_id IS NULL) AND (h.venue = at_venue OR h.venue IS NULL)
    ORDER BY h.set_by DESC, h.id LIMIT 1;
END $$;

-- What an account has in flight: told first to whoever subscribes to its orders. An accepted cancellation is at its end.
CREATE INDEX executions_living ON executions (account_id, seq DESC)
  WHERE status IN ('submitted', 'acked') AND NOT (intent = 'cancel' AND status = 'acked');
