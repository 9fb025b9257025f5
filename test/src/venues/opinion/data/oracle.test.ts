// Compares ccxt’s parser with ours on the same recorded bytes. Differences are listed here with their reasons.
import ccxt from 'ccxt'
import { expect, test } from 'vitest'
import { normalizeBook, normalizeEvent, normalizeMarket } from '#venues/opinion/data/normalize'
import { OpinionBookAnswer, OpinionMarket } from '#venues/opinion/wire'
import { categorical, markets, orderbook, type Row } from '../fixtures/recorded.ts'

interface TheirMarket {
  id: string
  active: boolean
  resolved: boolean
  expiry: number | undefined
  created: number
  outcomes: { outcomeId: string; label: string; winner: boolean | undefined; settleFraction: number | undefined }[]
}
interface TheirEvent {
  id: string
  title: string
  description: string
  slug: string
  category: string
  tags: string[]
  volume: number
  created: number
  end: number
  markets: TheirMarket[]
}
interface Theirs {
  parseEvent(row: Row): TheirEvent
  parseOrderBook(
    book: unknown,
    symbol: string,
    timestamp: unknown,
    bids: string,
    asks: string,
    price: string,
    size: string,
  ): { bids: [number, number][]; asks: [number, number][]; timestamp: number }
}
const theirs = new (ccxt as unknown as { prediction: { opinion: new () => Theirs } }).prediction.opinion()

const ms = (iso: unknown) => (typeof iso === 'string' ? Date.parse(iso) : undefined)

test.each([
  ['an open event', markets().result.list[0]!],
  ['a closed event', categorical().result.data],
])('%s and its markets', (_name, row) => {
  const their = theirs.parseEvent(row)
  const head = OpinionMarket.parse(row)
  const children = row.childMarkets.map((child) => normalizeMarket(OpinionMarket.parse(child), head))
  const our = normalizeEvent(head, children)
  expect({
    title: our.title,
    description: our.description,
    slug: our.slug,
    category: our.category,
    tags: our.tags,
    volume: our.volume,
    created: ms(our.sourceMetadata.createdTime),
    end: ms(our.sourceMetadata.closeTime),
  }).toEqual({
    title: their.title,
    description: their.description,
    slug: their.slug,
    category: their.category,
    tags: their.tags,
    volume: their.volume,
    created: their.created,
    end: their.end,
  })
  // Ids: parents and markets have separate numbers, so our ids distinguish them.
  expect(our.id).toBe(`categorical-${their.id}`)
  for (const [n, { marketId, outcomes, status, sourceMetadata, resolutionDate }] of our.markets.entries()) {
    const market = their.markets[n]!
    expect([marketId, status === 'active', status === 'resolved', ms(sourceMetadata.createdTime)]).toEqual([
      market.id,
      market.active,
      market.resolved,
      market.created,
    ])
    // A child without its own time closes with its parent; ccxt leaves it open.
    expect(ms(resolutionDate)).toBe(market.expiry ?? their.end)
    // Token ids look like those of other venues, so ours are prefixed by their market.
    expect(outcomes.map(({ outcomeId, label, price }) => [outcomeId, label, price])).toEqual(
      market.outcomes.map(({ outcomeId, label, settleFraction }) => [
        `${marketId}:${outcomeId}`,
        label,
        settleFraction ?? null,
      ]),
    )
  }
})

// The recorded book has one level; the generated one has the same format.
test.each([
  ['recorded', orderbook().result],
  [
    'with many levels',
    {
      ...orderbook().result,
      bids: [
        { price: '0.41', size: '12.5' },
        { price: '0.4', size: '140' },
      ],
      asks: [
        { price: '0.4251', size: '0.01' },
        { price: '0.999', size: '5500' },
      ],
    },
  ],
])('a book: %s', (_name, result) => {
  const their = theirs.parseOrderBook(result, 'X', result.timestamp, 'bids', 'asks', 'price', 'size')
  const our = normalizeBook('1:2', OpinionBookAnswer.parse({ errno: 0, result }).result, 0)!
  const side = (levels: [number, number][]) => levels.map(([micros, size]) => [micros / 1e6, size])
  expect([side(our.bids), side(our.asks), our.eventTs]).toEqual([their.bids, their.asks, their.timestamp])
})
