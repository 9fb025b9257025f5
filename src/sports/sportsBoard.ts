// Prices of one block: what each venue shows for each result, the best of them, and the price without its venue's margin. Pure except for the
// books it is given.

import { mayDrawIn } from '#matching/read/games/competitions'
import type { Comparison, ScreenMarket, VenuePrice } from '#schemas/sports'
import type { Quote, Quotes } from './ports.ts'
import type { FixtureEntry, FixtureHead } from './records.ts'

export interface BlockName {
  marketType: string
  period: string
  slot: string
}

/** Books that one answer may request; more come with the next. */
export const holdsMax = 100

/** Reads books for one answer: requests missing ones, and tracks the age of the oldest. */
export class BookReader {
  private readonly quotes: Quotes
  private holds = 0
  /** Epoch ms; null while no book was read. */
  oldest: number | null = null

  constructor(quotes: Quotes) {
    this.quotes = quotes
  }

  read(venue: string, marketId: string, outcomeId: string): Quote | null {
    const quote = this.quotes.read(venue, marketId, outcomeId)
    if (quote?.state !== 'live' && this.holds < holdsMax) {
      this.holds++
      this.quotes.hold(venue, marketId, outcomeId)
    }
    if (quote !== null) this.oldest = Math.min(this.oldest ?? quote.asOf, quote.asOf)
    return quote
  }
}

export const entriesOf = (entries: readonly FixtureEntry[], { marketType, period, slot }: BlockName): FixtureEntry[] =>
  entries.filter((each) => each.marketType === marketType && each.period === period && each.slot === slot)

/** The line that most venues have; ties go to the one nearest to the middle. */
export function mainLine(entries: readonly FixtureEntry[]): number | null {
  const venues = new Map<number, Set<string>>()
  for (const { line, venue } of entries) if (line !== null) venues.set(line, (venues.get(line) ?? new Set()).add(venue))
  const lines = [...venues.keys()].sort((a, b) => a - b)
  const middle = lines[Math.floor((lines.length - 1) / 2)] ?? 0
  const sorted = lines.sort(
    (a, b) => venues.get(b)!.size - venues.get(a)!.size || Math.abs(a - middle) - Math.abs(b - middle) || a - b,
  )
  return sorted[0] ?? null
}

export function screenOf(
  head: FixtureHead,
  block: BlockName,
  line: number | null,
  entries: readonly FixtureEntry[],
  books: BookReader,
): ScreenMarket {
  const members = entries.filter((each) => each.line === line)
  return {
    marketType: block.marketType,
    period: block.period,
    slot: block.slot,
    line,
    outcomes: resultsOf(head, members).map((outcome) => {
      const venues = pricesOf(outcome, members, books)
      return { outcome, name: nameOf(outcome, head), best: bestOf(venues), venues }
    }),
  }
}

const order = ['draw', 'over', 'under', 'yes', 'no']

/** Teams in order, then the rest. */
function resultsOf({ teams }: FixtureHead, entries: readonly FixtureEntry[]): string[] {
  const results = new Set(entries.flatMap(({ outcomes }) => outcomes.map(({ result }) => result)))
  return [...teams.map(({ id }) => id), ...order].filter((each) => results.has(each))
}

const words: Readonly<Record<string, string>> = { draw: 'Draw', over: 'Over', under: 'Under', yes: 'Yes', no: 'No' }
const nameOf = (outcome: string, { teams }: FixtureHead): string =>
  teams.find(({ id }) => id === outcome)?.name ?? words[outcome] ?? outcome

/** One price per venue: of its markets the cheapest live one, else any. */
function pricesOf(outcome: string, entries: readonly FixtureEntry[], books: BookReader): VenuePrice[] {
  const found = new Map<string, VenuePrice>()
  for (const { venue, marketId, outcomes, open } of entries) {
    for (const { outcomeId, result } of outcomes) {
      if (result !== outcome) continue
      const price = priceOf(venue, marketId, outcomeId, open ? books.read(venue, marketId, outcomeId) : null)
      const held = found.get(venue)
      if (held === undefined || isBetter(price, held)) found.set(venue, price)
    }
  }
  return [...found.values()]
}

function priceOf(venue: string, marketId: string, outcomeId: string, quote: Quote | null): VenuePrice {
  // Stale books are reported with their age, and without a price.
  const live = quote?.state === 'live' ? quote : null
  return {
    venue,
    marketId,
    outcomeId,
    bid: live?.bid ?? null,
    bidSize: live?.bidSize ?? null,
    ask: live?.ask ?? null,
    askSize: live?.askSize ?? null,
    state: quote?.state ?? 'none',
    asOf: quote === null ? null : new Date(quote.asOf).toISOString(),
  }
}

const rank = { live: 0, stale: 1, none: 2 } as const
function isBetter(a: VenuePrice, b: VenuePrice): boolean {
  if (a.state !== b.state) return rank[a.state] < rank[b.state]
  return (a.ask ?? Number.POSITIVE_INFINITY) < (b.ask ?? Number.POSITIVE_INFINITY)
}

function bestOf(venues: readonly VenuePrice[]): ScreenMarket['outcomes'][number]['best'] {
  let best: VenuePrice | null = null
  for (const price of venues) if (price.ask !== null && (best === null || price.ask < best.ask!)) best = price
  if (best === null) return null
  const { venue, marketId, outcomeId, ask, askSize } = best
  return { venue, marketId, outcomeId, price: ask!, size: askSize ?? 0 }
}

/** One line of a comparison. */
export function compareLine(
  head: FixtureHead,
  block: BlockName,
  line: number | null,
  entries: readonly FixtureEntry[],
  books: BookReader,
): Comparison['lines'][number] {
  const { outcomes } = screenOf(head, block, line, entries, books)
  const venues = [...new Set(outcomes.flatMap((each) => each.venues.map(({ venue }) => venue)))].sort().map((venue) => {
    const prices = outcomes.flatMap(({ outcome, venues: all }) =>
      all.filter((price) => price.venue === venue).map((price) => ({ ...price, outcome })),
    )
    // All results must have asks: the prices of some do not determine the others.
    const asks = prices.map(({ ask }) => ask)
    const isWhole =
      prices.length === outcomes.length &&
      outcomes.length > 1 &&
      asks.every((ask) => ask !== null) &&
      !lacksDraw(head, block, prices)
    const sum = isWhole ? asks.reduce<number>((total, ask) => total + ask!, 0) : null
    return {
      venue,
      overround: sum === null ? null : round(sum - 1),
      outcomes: prices.map((price) => ({ ...price, noVig: sum === null ? null : round(price.ask! / sum) })),
    }
  })
  const middles = outcomes.map(({ outcome }) =>
    median(venues.flatMap((venue) => venue.outcomes.find((each) => each.outcome === outcome)?.noVig ?? [])),
  )
  const whole = middles.every((each) => each !== null) ? middles.reduce<number>((sum, each) => sum + each!, 0) : null
  return {
    line,
    outcomes: outcomes.map(({ outcome, name, best }, at) => ({
      outcome,
      name,
      best,
      noVig: whole === null ? null : round(middles[at]! / whole),
    })),
    venues,
  }
}

/**
 * Two sides from two markets, with a possible draw that is not offered: both can lose. Sides of one market cannot both lose, even on a
 * draw.
 */
const lacksDraw = (
  { sport }: FixtureHead,
  { marketType, period }: BlockName,
  prices: readonly { outcome: string; marketId: string }[],
): boolean =>
  marketType === 'moneyline' &&
  mayDrawIn(sport, period) &&
  !prices.some(({ outcome }) => outcome === 'draw') &&
  new Set(prices.map(({ marketId }) => marketId)).size > 1

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Without binary rounding error. */
const round = (value: number): number => Math.round(value * 1_000_000) / 1_000_000
