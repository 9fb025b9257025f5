// Rows of one venue by their ids, looked up one by one, whatever the statistics say about the venue.

/**
 * SQL: the list `given` with the venue, parameter $1, beside each of its rows; name it, and look each row up by both. A venue that stands there
 * as a constant and that the statistics have not seen yet has no rows for the planner, which then reads all of them for each id.
 */
export const ofVenue = (given: string): string => `(SELECT $1::text AS venue, given.* FROM ${given} OFFSET 0)`
