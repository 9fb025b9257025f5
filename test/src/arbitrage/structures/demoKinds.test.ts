// The listings of the demo's venues produce a structure of each kind, with their texts as the matcher reads them and
// their prices as offers. The long suite checks the same against the running demo (test/endToEnd/readme.test.ts).
import { describe, expect, test } from 'vitest'
import {
  compileStructures,
  findStructures,
  type Offers,
  type Relation,
  type Structure,
} from '#arbitrage/structures/index'
import { buildCatalog } from '#lab/catalog/catalog'
import { relatedEvents } from '#lab/catalog/related'
import { IncrementalMatcher, type MatchInput, marketKey } from '#matching/candidateIndex'
import { pairRelation } from '#matching/relate/pairRelation'
import { book, market } from './parts.ts'

interface Listed {
  input: MatchInput
  /** Price of Yes in dollars. */
  price: number
}

const now = Date.UTC(2026, 10, 23)

/** Related events of a venue, each market with its text and price. */
function listed(venue: string, related: (typeof relatedEvents)['lower']): Listed[] {
  const keys = new Set(related.map(({ key }) => key))
  return buildCatalog(venue, { seed: 'demo', nowMs: now, related })
    .filter(({ key }) => keys.has(key))
    .flatMap((event) =>
      event.markets.map(({ key, label, question, anchorMicros }) => ({
        input: {
          venue,
          marketId: key,
          title: question,
          subtitle: label,
          eventTitle: event.title,
          rules: event.rules,
          closeTime: event.endMs,
          eventId: event.key,
          exclusive: event.exclusive,
          listing: { open: event.markets.length, grows: false },
        },
        price: anchorMicros / 1e6,
      })),
    )
}

/** Structures as the service finds them: from the matcher's relations and books with one level per side. */
function structures(markets: readonly Listed[]): Structure[] {
  const session = new IncrementalMatcher()
  session.put(markets.map(({ input }) => input))
  const { pairs, relations: events } = session.run({ previous: [], overrides: [], full: true, now })
  const relations = [
    ...pairs.flatMap(({ a_venue, a_market_id, b_venue, b_market_id, ...pair }) => {
      return pairRelation({ ...pair, a: `${a_venue}:${a_market_id}`, b: `${b_venue}:${b_market_id}` }) ?? []
    }),
    ...events.map(({ relation }) => relation as Relation),
  ]
  const offers = new Map<string, Offers>()
  for (const { input, price } of markets) {
    offers.set(`${marketKey(input)} yes`, book([[price, 10]]))
    offers.set(`${marketKey(input)} no`, book([[1 - price, 10]]))
  }
  const compiled = compileStructures(
    markets.map(({ input }) => market(marketKey(input))),
    relations,
  )
  return findStructures(compiled, (key, side) => offers.get(`${key} ${side}`) ?? null, {
    leastEdge: 1,
    unitsMax: 1_000,
    rowsMax: 20,
  }).structures
}

const higher = listed('kalshi', relatedEvents.higher)
const lower = listed('polymarket', relatedEvents.lower)

const expectSure = (found: readonly Structure[], kind: Structure['kind']): void => {
  const some = found.filter((each) => each.kind === kind)
  const foundLegs = found.map((each) => [each.kind, each.legs.map(({ market: key, side }) => `${key} ${side}`)])
  expect(some, JSON.stringify(foundLegs)).not.toEqual([])
  for (const { edge, worstPayout, capital, executable, legs } of some) {
    expect(executable).toBe(true)
    expect(edge).toBeGreaterThan(0)
    expect(worstPayout).toBeCloseTo(capital + edge, 6)
    expect(legs.length).toBeGreaterThan(1)
  }
}

describe("the demo's venues", () => {
  const found = structures([...higher, ...lower])

  test.each(['implication', 'exclusion', 'partition', 'ladder', 'combination'] as const)(
    'show an executable %s',
    (kind) => {
      expectSure(found, kind)
    },
  )
})
