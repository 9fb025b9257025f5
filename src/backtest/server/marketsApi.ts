// The market reads of a backtest: the markets of the run as they are now, and their books.
import { Fault } from '#core/fault'
import { ONE } from '#core/price'
import type { Market } from '#schemas/market'
import { withoutVenue } from '#schemas/venues'
import type { Exchange } from '../exchange/exchange.ts'
import { isoOf } from '../exchange/execution.ts'
import { type BacktestMarket, type BacktestOutcome, rowAt } from '../markets/market.ts'
import type { TapeBook } from '../tape/books.ts'
import { type ApiAnswer, type ApiRequest, answer, pageOf } from './request.ts'

export interface FoundOutcome {
  market: BacktestMarket
  outcome: BacktestOutcome
}

export class MarketsApi {
  private readonly exchange: Exchange
  private readonly now: () => number

  constructor(exchange: Exchange, now: () => number) {
    this.exchange = exchange
    this.now = now
  }

  /** By outcome id, or by market: its first outcome. Null: not a market of the run. */
  find(venue: string, id: string): FoundOutcome | null {
    const bare = withoutVenue(venue, id)
    const ofVenue = this.exchange.markets.filter((market) => market.venue === venue)
    for (const market of ofVenue) {
      const outcome = market.outcomes.find(({ outcomeId }) => outcomeId === bare)
      if (outcome !== undefined) return { market, outcome }
    }
    const market = ofVenue.find((each) => each.market.marketId === bare || each.requested === bare)
    return market === undefined ? null : { market, outcome: market.outcomes[0]! }
  }

  fetchMarkets(exchange: string, request: ApiRequest): ApiAnswer {
    const query = queryOf(request)
    const [marketId, outcomeId] = [query.get('marketId'), query.get('outcomeId')]
    const rows = this.of(exchange)
      .map((market) => this.rowOf(market))
      .filter(
        (row) =>
          (marketId === null || row.marketId === marketId) &&
          (outcomeId === null || row.outcomes.some((outcome) => outcome.outcomeId === outcomeId)),
      )
    const { page, next } = pageOf(rows, query, 100, 500)
    return answer(page, { ...this.fields(), ...next })
  }

  fetchMarket(exchange: string, request: ApiRequest): ApiAnswer {
    const query = queryOf(request)
    const id = query.get('marketId') ?? query.get('outcomeId') ?? query.get('id')
    if (id === null) throw new Fault('VALIDATION_ERROR', 'marketId: is required')
    const found = this.find(exchange, id)
    if (found === null) throw new Fault('MARKET_NOT_FOUND', `the backtest has no market ${id}`, { exchange })
    return answer(this.rowOf(found.market), this.fields())
  }

  fetchOrderBook(exchange: string, request: ApiRequest): ApiAnswer {
    const query = queryOf(request)
    const id = query.get('outcomeId') ?? query.get('marketId') ?? query.get('id')
    if (id === null) throw new Fault('VALIDATION_ERROR', 'outcomeId: is required')
    const found = this.find(exchange, id)
    if (found === null) throw new Fault('OUTCOME_NOT_FOUND', `the backtest has no outcome ${id}`, { exchange })
    const book = this.exchange.liveBook(found.outcome)
    if (book === null) throw new Fault('NETWORK_ERROR', 'the book is not live: the tape has a gap here', { exchange })
    return answer(this.bookOf(book, found), this.fields())
  }

  private rowOf(market: BacktestMarket): Market {
    return rowAt(market, this.now(), (outcomeId) => {
      const outcome = market.outcomes.find((each) => each.outcomeId === outcomeId)
      if (outcome === undefined) return { price: null, bid: null, ask: null }
      const mark = this.exchange.markOf(outcome)
      const book = this.exchange.liveBook(outcome)
      return {
        price: mark === null ? null : mark / ONE,
        bid: book?.bids[0]?.price ?? null,
        ask: book?.asks[0]?.price ?? null,
      }
    })
  }

  private bookOf({ bids, asks, timestamp }: TapeBook, { market, outcome }: FoundOutcome) {
    const { lastTrade } = this.exchange.feeds[outcome.feed]!
    const last = lastTrade === null || !outcome.mirrored ? lastTrade : (ONE - Math.round(lastTrade * ONE)) / ONE
    const { negRisk } = market.market.sourceMetadata
    return {
      ...{ bids, asks, timestamp, datetime: isoOf(timestamp) },
      isNegRisk: typeof negRisk === 'boolean' ? negRisk : null,
      lastTradePrice: last,
      asOf: isoOf(this.now()),
      provenance: { source: 'archive' },
      synthetic: false,
      cached: false,
      sourceMetadata: { synthetic: false },
    }
  }

  private of(exchange: string): readonly BacktestMarket[] {
    const { markets } = this.exchange
    return exchange === 'router' ? markets : markets.filter(({ venue }) => venue === exchange)
  }

  private fields() {
    return { asOf: isoOf(this.now()), provenance: { source: 'archive' } }
  }
}

/** The members of a POST's body, where they are not in the address. */
function queryOf({ query, body }: ApiRequest): URLSearchParams {
  const all = new URLSearchParams(query)
  const nested = typeof body.params === 'object' && body.params !== null ? body.params : body
  for (const [name, value] of Object.entries(nested))
    if (typeof value === 'string' || typeof value === 'number') all.set(name, String(value))
  return all
}
