// Keyset paging: a cursor is a place in the catalog, so rows that stop matching during a walk do not shift the others.

export interface Selection<T> {
  pool: readonly T[]
  fits(item: T): boolean
}

/** At most `limit` matching items from `start` on, and where the next page starts; null when none match after these. */
export function pageOf<T>(
  { pool, fits }: Selection<T>,
  start: number,
  limit: number,
): { items: T[]; next: number | null } {
  const items: T[] = []
  for (let i = start; i < pool.length; i++) {
    const item = pool[i]!
    if (!fits(item)) continue
    if (items.length === limit) return { items, next: i }
    items.push(item)
  }
  return { items, next: null }
}

export const encodeCursor = (place: number): string => Buffer.from(String(place)).toString('base64url')

/** The place, 0 for an absent cursor, null for an invalid one. */
export function decodeCursor(cursor: string | null): number | null {
  if (cursor === null || cursor === '') return 0
  const text = Buffer.from(cursor, 'base64url').toString()
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
