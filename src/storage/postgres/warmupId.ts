import { randomUUID } from 'node:crypto'

/**
 * An id for a row that will be rolled back. They stand next to each other in every index: the same pages are written again, where those of random
 * ids would put another whole page in the log every time.
 */
export const warmupId = (): string => `${'0'.repeat(8)}${randomUUID().slice(8)}`
