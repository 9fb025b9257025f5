// Rows of one venue by their ids, looked up one by one, regardless of the statistics of the venue.

/**
 * SQL: the list `given` with the venue, parameter $1, added to each row; name it, and look each row up by both. With the venue as a constant
 * that the statistics do not know yet, the planner assumes it has no rows and reads all of them for each id.
 */
export const ofVenue = (given: string): string => `(SELECT $1::text AS venue, given.* FROM ${given} OFFSET 0)`
