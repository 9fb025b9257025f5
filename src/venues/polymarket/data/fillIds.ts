// Ids of trades: their transaction, and if one contains several fills of a token, a number on those after the first. A fill keeps the id under which
// it was first read, whatever page or later read returns it and whatever else of its transaction is known by then; fills first read together are
// numbered in a fixed order. Rows equal in everything but their time are one fill.
import { Cache } from '#core/cache'
import type { VenueContext } from '../../venueContext.ts'

/** The nth fill of one token in a transaction. */
export const tradeIdOf = (transaction: string, n: number): string => (n === 0 ? transaction : `${transaction}:${n}`)

/** What distinguishes a fill from others of its transaction. */
export interface Fill {
  token: string
  /** Null: rows cannot be identified with each other. */
  transaction: string | null
  /** Unix seconds. */
  timestamp: number
  side: string
  price: number
  size: number
  wallet: string
}

const transactionsMax = 20_000

export class FillIds {
  /** Fills of each transaction, in the order of their numbers. */
  private readonly known = new Cache<string[]>(transactionsMax)

  /** In the order of the rows. `list`: lists of different kinds split a transaction into different fills. */
  of<T>(list: string, rows: readonly T[], fillOf: (row: T) => Fill): string[] {
    const fills = rows.map((row, at) => ({ at, ...fillOf(row) }))
    const names: string[] = []
    const groups = Map.groupBy(fills, ({ token, transaction, timestamp }) =>
      JSON.stringify([list, token, transaction ?? timestamp]),
    )
    for (const [key, group] of groups) {
      const { transaction, timestamp } = group[0]!
      const seen = transaction === null ? [] : this.seen(key)
      const alike = new Map<string, number>()
      for (const { at, side, price, size, wallet } of group.toSorted(inOrder)) {
        const terms = JSON.stringify([side, price, size, wallet])
        const before = alike.get(terms) ?? 0
        alike.set(terms, before + 1)
        const fill = `${terms}${before}`
        if (!seen.includes(fill)) seen.push(fill)
        names[at] = tradeIdOf(transaction ?? String(timestamp), seen.indexOf(fill))
      }
    }
    return names
  }

  private seen(key: string): string[] {
    const seen = this.known.get(key) ?? []
    this.known.set(key, seen)
    return seen
  }
}

const inOrder = (a: Fill, b: Fill): number =>
  a.price - b.price || a.size - b.size || (a.wallet < b.wallet ? -1 : a.wallet > b.wallet ? 1 : 0)

const names = new WeakMap<object, FillIds>()

/** Shared within this process: every reader of the venue has the same addresses. */
export function fillNamesOf({ urls }: Pick<VenueContext, 'urls'>): FillIds {
  const found = names.get(urls) ?? new FillIds()
  names.set(urls, found)
  return found
}
