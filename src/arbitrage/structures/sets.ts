// The structure surface's input: markets connected by relations, as independent sets. Bounded, with a reason for everything left out. Pure.
import type { BookSource } from '../cluster.ts'
import { marketsOf } from './constraints.ts'
import { marketsMax } from './groups.ts'
import type { Relation, StructureMarket } from './input.ts'

/** Sets that are searched; beyond this the most certain come first. */
export const setsMax = 2_000

/** Why a market cannot be bought. It still takes part in what relations allow: others of its partition may be bought. */
export type MarketRefusal =
  | 'venue_not_served'
  | 'not_in_catalog'
  | 'not_open'
  | 'no_yes_and_no'
  | 'fee_unknown'
  | 'settlement_fee_unknown'
  | 'tick_unknown'
  | 'order_size_unknown'

export interface StructureFacts {
  market: StructureMarket
  title: string
  /** Null: no such book is known, or nothing can be bought. */
  yesBook: BookSource | null
  noBook: BookSource | null
  refused: MarketRefusal | null
}

export interface MarketSetInput {
  /** The first of its markets by name. */
  name: string
  facts: readonly StructureFacts[]
  relations: readonly Relation[]
}

export interface StructureSets {
  sets: MarketSetInput[]
  /** Sets beyond `setsMax`, and those with more markets than a search accepts. */
  overLimit: number
  tooManyMarkets: number
  /** Markets of sets that are searched. */
  refused: { market: string; reason: MarketRefusal }[]
}

const isShown = ({ band }: Relation): boolean => band === 'verified' || band === 'minor' || band === 'material'
/** Markets that are only equal or inverse have their rows on the two-leg surface. */
const carries = ({ kind }: Relation): boolean => kind !== 'same' && kind !== 'inverse'

/** The markets of possible structures, by set: facts are requested for these only. */
export function linkedMarkets(relations: readonly Relation[], limit = setsMax) {
  const shown = relations.filter(isShown)
  const head = heads(shown)
  const parts = new Map<string, Relation[]>()
  for (const relation of shown) {
    const [first] = marketsOf(relation)
    if (first === undefined) continue
    const part = parts.get(head(first))
    if (part === undefined) parts.set(head(first), [relation])
    else part.push(relation)
  }
  const found: { name: string; markets: string[]; relations: Relation[]; sure: boolean }[] = []
  let tooManyMarkets = 0
  for (const part of parts.values()) {
    const carrying = part.filter(carries)
    if (carrying.length === 0) continue
    const markets = [...new Set(part.flatMap(marketsOf))].sort()
    if (markets.length > marketsMax) tooManyMarkets++
    else
      found.push({
        name: markets[0]!,
        markets,
        relations: part,
        sure: carrying.some(({ band }) => band === 'verified'),
      })
  }
  found.sort((a, b) => Number(b.sure) - Number(a.sure) || (a.name < b.name ? -1 : 1))
  return { sets: found.slice(0, limit), overLimit: Math.max(0, found.length - limit), tooManyMarkets }
}

export function structureSets(
  relations: readonly Relation[],
  factsOf: (market: string) => StructureFacts,
  limit = setsMax,
): StructureSets {
  const tied = linkedMarkets(relations, limit)
  const sets = tied.sets.map(({ name, markets, relations }) => ({ name, facts: markets.map(factsOf), relations }))
  const refused = sets.flatMap(({ facts }) =>
    facts.flatMap(({ market, refused }) => (refused === null ? [] : [{ market: market.key, reason: refused }])),
  )
  return { sets, overLimit: tied.overLimit, tooManyMarkets: tied.tooManyMarkets, refused }
}

/** Each once: both answers of a market usually read one book. */
export function booksOf({ facts }: MarketSetInput): [venue: string, bookId: string][] {
  const found = new Map<string, [string, string]>()
  for (const { market, yesBook, noBook } of facts)
    for (const book of [yesBook, noBook])
      if (book !== null) found.set(`${market.venue} ${book.bookId}`, [market.venue, book.bookId])
  return [...found.values()]
}

/** One representative for all markets these relations connect. */
function heads(relations: readonly Relation[]): (key: string) => string {
  const parent = new Map<string, string>()
  const head = (key: string): string => {
    let at = key
    for (let next = parent.get(at); next !== undefined; next = parent.get(at)) at = next
    if (at !== key) parent.set(key, at)
    return at
  }
  for (const relation of relations) {
    const [first, ...rest] = marketsOf(relation)
    for (const other of rest) if (head(other) !== head(first!)) parent.set(head(other), head(first!))
  }
  return head
}
