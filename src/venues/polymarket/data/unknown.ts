// Stands in a column of micros for a value that the venue did not report.

export const UNKNOWN = -1
