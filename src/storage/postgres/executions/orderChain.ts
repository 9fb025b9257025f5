// An order and its changes: a single order to the venue, and to the caps.

/** Opens a `WITH`: `family` has the rows of the order that execution $1 is or acts on, of every change of it, and of $1 itself. */
export const familyOf = `RECURSIVE up AS (
    SELECT id, target_id FROM executions WHERE id = $1
    UNION ALL SELECT t.id, t.target_id FROM executions t JOIN up ON t.id = up.target_id
  ), down AS (
    SELECT id FROM up WHERE target_id IS NULL
    UNION ALL SELECT c.id FROM executions c JOIN down ON c.target_id = down.id AND c.intent = 'modify'
  ), family AS (
    -- Of an array the planner knows that it is short: two conditions joined by OR read the whole table.
    SELECT f.* FROM executions f WHERE f.id = ANY (ARRAY(SELECT id FROM down UNION ALL SELECT $1))
  )`

/**
 * Of what the venue accepted, except execution `but`: the dollars it holds, or those of its last terms if that is more. A change that may
 * still be rejected counts for nothing.
 */
export const acceptedReservation = (but: string): string => `(
    SELECT greatest(coalesce(sum(held_usd), 0), coalesce((array_agg(notional_usd ORDER BY seq DESC))[1], 0)) AS usd FROM family
    WHERE id IS DISTINCT FROM ${but} AND (status IN ('acked', 'filled') OR (status = 'submitted' AND intent = 'order'))
  )`
