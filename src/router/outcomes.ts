// An answer of a market with everything that a plan needs of it: its facts, its outcome, its book.
import { sidesOf } from '#arbitrage/pairsFromMatches'
import { structureFacts } from '#arbitrage/structures/marketFacts'
import type { StructureFacts } from '#arbitrage/structures/sets'
import type { Market } from '#schemas/market'
import type { AnswerSide, EqualMarket } from './equalMarkets.ts'
import { keyOf, type MarketName, type RouterBook, type RouterDeps } from './ports.ts'

/** What an order is placed on. */
export interface TradedOutcome extends MarketName {
  outcomeId: string
  /** By the catalog's order of the outcomes, as build bodies name it. */
  outcomeSide: 'YES' | 'NO'
}

export interface LiveOutcome {
  outcome: TradedOutcome
  market: StructureFacts['market']
  book: RouterBook
}

export type OutcomeRefusal =
  | NonNullable<StructureFacts['refused']>
  | 'no_order_book'
  | 'synthetic_book'
  | 'book_not_live'

/** One for each, in order: the outcome with its live book, or why it cannot be traded. */
export async function readOutcomes(
  deps: Pick<RouterDeps, 'findMarkets' | 'venueOf' | 'books'>,
  wanted: readonly EqualMarket[],
): Promise<(LiveOutcome | OutcomeRefusal)[]> {
  const markets = await deps.findMarkets(wanted)
  const sources = { venueOf: deps.venueOf, marketOf: (key: string) => markets.get(key) }
  const known = wanted.map((each) => {
    const facts = structureFacts(keyOf(each), sources)
    if (facts.refused !== null) return facts.refused
    const source = each.side === 'yes' ? facts.yesBook : facts.noBook
    if (source === null) return 'no_order_book' as const
    if (source.synthetic === true) return 'synthetic_book' as const
    return { facts, source, outcome: outcomeOf(markets.get(keyOf(each))!, each) }
  })
  const readable = known.flatMap((each) => (typeof each === 'string' ? [] : [each]))
  const books = await deps.books.read(
    readable.map(({ facts, source: { bookId, complement } }) => ({ venue: facts.market.venue, bookId, complement })),
  )
  const bookOf = new Map(readable.map((each, index) => [each, books[index] ?? null]))
  return known.map((each) => {
    if (typeof each === 'string') return each
    const book = bookOf.get(each) ?? null
    return book === null ? 'book_not_live' : { outcome: each.outcome, market: each.facts.market, book }
  })
}

/** Of a market with a YES and a NO. */
function outcomeOf(market: Market, { venue, marketId, side }: EqualMarket): TradedOutcome {
  const outcome = sidesOf(market)[side]!
  return { venue, marketId, outcomeId: outcome.outcomeId, outcomeSide: market.outcomes[0] === outcome ? 'YES' : 'NO' }
}

/** The answer that an outcome of a market is; null: neither. */
export function answerOf(market: Market, outcomeId: string): AnswerSide | null {
  const { yes, no } = sidesOf(market)
  return yes?.outcomeId === outcomeId ? 'yes' : no?.outcomeId === outcomeId ? 'no' : null
}
