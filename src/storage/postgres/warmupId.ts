import { randomUUID } from 'node:crypto'

/**
 * An id for a row that will be rolled back. Such ids are adjacent in every index, so the same pages are written again; random ids would put
 * another whole page into the log every time.
 */
export const warmupId = (): string => `${'0'.repeat(8)}${randomUUID().slice(8)}`
