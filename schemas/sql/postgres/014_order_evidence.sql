-- What is known of an order between two looks at its venue, and why an end is believed.

ALTER TABLE executions
  -- First look at which the venue did not show the order, since it was last seen; null while it is shown or nobody looked.
  ADD COLUMN missing_since timestamptz,
  -- The most the venue ever said was filled of it, in contracts or shares.
  ADD COLUMN matched_size numeric,
  -- The word of the state machine's table that led to the present status.
  ADD COLUMN last_event text NOT NULL DEFAULT 'build';

-- What an end rests on where it is not the venue's own word.
ALTER TABLE execution_audit ADD COLUMN detail jsonb;
