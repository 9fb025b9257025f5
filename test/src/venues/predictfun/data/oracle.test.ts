// Compares ccxt’s parser with ours on the same recorded bytes. Differences are listed here with their reasons.
import ccxt from 'ccxt'
import { expect, test } from 'vitest'
import { normalizeEvent, normalizeMarket } from '#venues/predictfun/data/normalize'
import { normalizeBook, normalizeTrade } from '#venues/predictfun/data/tape'
import { PredictBookAnswer, PredictCategory, PredictMarket, PredictMatch } from '#venues/predictfun/wire'
import { category, matches, orderbook, type Row, socketBook } from '../fixtures/recorded.ts'

interface TheirOutcome {
  outcomeId: string
  label: string
  winner: boolean | undefined
}
interface TheirEvent {
  id: string
  slug: string
  title: string
  description: string
  image: string
  created: number
  end: number
  category: string
  active: boolean
  resolved: boolean
  markets: {
    id: string
    active: boolean
    resolved: boolean
    expiry: number
    created: number
    taker: number
    maker: number
    outcomes: TheirOutcome[]
  }[]
}
interface TheirTrade {
  id: string
  timestamp: number
  side: string
  price: number
  amount: number
}
interface Theirs {
  parseEvent(row: Row): TheirEvent
  parsePredictionTrade(row: Row, outcome: TheirOutcome): TheirTrade
  parseOrderBook(
    book: unknown,
    symbol: string,
    timestamp: number,
    bids: string,
    asks: string,
    price: number,
    size: number,
  ): { bids: [number, number][]; asks: [number, number][]; timestamp: number }
}
const theirs = new (ccxt as unknown as { prediction: { predictfun: new () => Theirs } }).prediction.predictfun()

const ms = (iso: unknown) => (typeof iso === 'string' ? Date.parse(iso) : undefined)

test.each([
  ['open', {}],
  // Not recorded: the statuses of a closed market.
  ['resolved', { status: 'RESOLVED', tradingStatus: 'CLOSED' }],
])('a category and its market, %s', (_name, more) => {
  const decided = (row: Row, n: number) => ('status' in more ? { ...row, status: n === 0 ? 'WON' : 'LOST' } : row)
  const [market] = category().markets
  const row = { ...category(), markets: [{ ...market!, ...more, outcomes: market!.outcomes.map(decided) }] }
  const their = theirs.parseEvent(row)
  const raw = PredictCategory.parse(row)
  const our = normalizeEvent(
    raw,
    row.markets.map((each) => normalizeMarket(PredictMarket.parse(each), raw)!),
  )
  const { createdTime, closeTime } = our.sourceMetadata
  expect([our.id, our.slug, our.title, our.description, our.image, ms(createdTime), ms(closeTime)]).toEqual([
    their.id,
    their.slug,
    their.title,
    their.description,
    their.image,
    their.created,
    their.end,
  ])
  // Our category is the first tag; ccxt uses the kind of market, which we pass on separately.
  expect([our.category, our.sourceMetadata.marketVariant]).toEqual(['Crypto', their.category])
  for (const [n, { marketId, outcomes, status, sourceMetadata, resolutionDate }] of our.markets.entries()) {
    const other = their.markets[n]!
    const { taker, maker } = sourceMetadata.fees as { taker: string; maker: string }
    expect([
      marketId,
      status === 'active',
      status === 'resolved',
      ms(resolutionDate),
      ms(sourceMetadata.createdTime),
    ]).toEqual([other.id, other.active, other.resolved, other.expiry, other.created])
    expect([Number(taker), Number(maker)]).toEqual([other.taker, other.maker])
    // Our labels keep the venue’s case, ccxt upper-cases them. Outcomes are identified by the market, tokens are passed on.
    expect(outcomes.map(({ label }) => label.toUpperCase())).toEqual(other.outcomes.map(({ label }) => label))
    expect(sourceMetadata.tokenIds).toEqual(other.outcomes.map(({ outcomeId }) => outcomeId))
    expect(outcomes.map(({ price }) => price)).toEqual(
      other.outcomes.map(({ winner }) => (winner === undefined ? null : winner ? 1 : 0)),
    )
  }
})

test.each([
  ['over REST', orderbook().data],
  ['on the socket', socketBook().data],
])('a book %s', (_name, data) => {
  const their = theirs.parseOrderBook(data, 'X', data.updateTimestampMs, 'bids', 'asks', 0, 1)
  const our = normalizeBook('1', PredictBookAnswer.parse({ success: true, data }).data, 0)!
  const side = (levels: [number, number][]) => levels.map(([micros, size]) => [micros / 1e6, size])
  expect([side(our.bids), side(our.asks), our.eventTs]).toEqual([their.bids, their.asks, their.timestamp])
})

test('a trade of the outcome named by its taker', () => {
  const [row] = matches().data as [Row & { taker: Row }]
  const outcome = { outcomeId: 'x', label: 'Up', winner: undefined }
  const their = theirs.parsePredictionTrade({ ...row, partyToParse: { ...row.taker, role: 'taker' } }, outcome)
  const our = normalizeTrade(PredictMatch.parse(row), '1:1', 1)!
  expect([our.id, our.timestamp, our.side, our.price]).toEqual([their.id, their.timestamp, their.side, their.price])
  expect(our.amount).toBeCloseTo(their.amount, 12)
  // For the other outcome ccxt lists a trade per maker at the maker’s price and size; we list the taker’s trade, mirrored.
})
