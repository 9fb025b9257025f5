// Rows that revert a stored fill: the venue has withdrawn it.
import type { JsonObject } from '#schemas/executions'

/** Our id of the fill that the row withdraws; null: the row is a fill itself. */
export const withdrawnFillId = ({ withdrawn, withdrawsFillId }: JsonObject): string | null =>
  withdrawn === true && typeof withdrawsFillId === 'string' ? withdrawsFillId : null
