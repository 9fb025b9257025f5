// Seventeen NFL events recorded on 2025-09-21, by a query without market ids and status that left out outcomes which were never quoted
// or traded.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { silentLog } from '#core/log'
import { Event } from '#schemas/market'
import { sharedFixture } from '#test/support/fixtures'
import { readEvent } from '#venues/novig/data/normalize'
import { normalizeBook } from '#venues/novig/data/tape'
import { NovigBooks } from '#venues/novig/wire'
import { idOf } from './rows.ts'

const path = sharedFixture('novig/raw.json.gz')

interface Recorded {
  id: string
  markets: {
    description: string
    outcomes: { id: string; available: number | null; orders: { price: number; qty: number }[] }[]
  }[]
}

/** Where each field of a recorded row goes; these are all of its fields. */
const mapped: Readonly<Record<string, string>> = {
  'event.id': 'Event.id',
  'event.description': 'Event.title',
  'event.game.scheduled_start': 'sourceMetadata.gameStartTime',
  'event.markets.description': 'Market.title',
  'event.markets.type': 'sourceMetadata.venueMarketType',
  'event.markets.strike': 'sourceMetadata.line',
  'event.markets.player.full_name': 'sourceMetadata.player',
  'event.markets.outcomes.id': 'Outcome.outcomeId',
  'event.markets.outcomes.description': 'Outcome.label',
  'event.markets.outcomes.last': 'Outcome.price; lastTradePrice of the book',
  'event.markets.outcomes.available': 'Outcome.bestAsk, and bestBid of the other',
  'event.markets.outcomes.orders.status': 'only OPEN is in the book',
  'event.markets.outcomes.orders.qty': 'size',
  'event.markets.outcomes.orders.price': 'price',
  'event.markets.outcomes.orders.originalQty': 'ignored: the filled part is not open',
  'event.markets.outcomes.orders.created_at': 'ignored: the age of an order is not the time of the book',
}

function leavesOf(value: unknown, at: string, into: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) leavesOf(item, at, into)
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) leavesOf(member, `${at}.${name}`, into)
  else if (value !== null) into.add(at)
  return into
}

describe.skipIf(path === null)('the recording (../shared/fixtures/novig)', () => {
  const { NFL } = path === null ? { NFL: [] } : JSON.parse(gunzipSync(readFileSync(path)).toString())
  const rows = (NFL as { data: { event: Recorded[] } }[]).flatMap(({ data }) => data.event)
  const whole = rows.map((row, n) => ({
    ...row,
    markets: row.markets.map((market, k) => ({ ...market, id: idOf(n * 1_000 + k, '2') })),
  }))

  test('has no unmapped field', () => {
    expect([...leavesOf(rows, 'event', new Set())].sort()).toEqual(Object.keys(mapped).sort())
  })

  test('normalises every market that was ever quoted, and no other', () => {
    const warned: unknown[] = []
    const log = Object.create(silentLog, { warn: { value: (fields: unknown) => warned.push(fields) } })
    const events = whole.map((row) => Event.parse(readEvent({ log }, row)))
    const markets = events.flatMap((event) => event.markets)
    expect([events.length, markets.length]).toEqual([17, 355])
    expect(whole.flatMap((event) => event.markets).filter(({ outcomes }) => outcomes.length === 0)).toHaveLength(
      1_164 - 355,
    )
    const money = markets.find(({ sourceMetadata }) => sourceMetadata.venueMarketType === 'MONEY')!
    expect(money).toMatchObject({
      title: 'Chicago Bears @ Las Vegas Raiders: LV',
      outcomes: [
        { label: 'LV', price: 0.58, bestBid: 0.492, bestAsk: 0.52 },
        { label: 'CHI', price: 0.42, bestBid: 0.48, bestAsk: 0.508 },
      ],
    })
    for (const { outcomes } of markets.filter(({ outcomes: { length } }) => length === 2)) {
      const [one, two] = outcomes
      if (one!.price !== null && two!.price !== null) expect(one!.price + two!.price).toBeCloseTo(1, 9)
      if (typeof one!.bestBid === 'number' && typeof one!.bestAsk === 'number')
        expect(one!.bestBid).toBeLessThan(one!.bestAsk)
    }
  })

  test('every two-sided book is uncrossed and holds exactly the open orders', () => {
    let books = 0
    for (const { id, outcomes } of whole.flatMap((event) => event.markets)) {
      if (outcomes.length !== 2) continue
      const market = NovigBooks.parse({ id, outcomes })
      for (const { id: bookId, orders } of outcomes) {
        const book = normalizeBook(bookId, market, 1)!
        const [bid, ask] = [
          Math.max(...book.bids.map(([micros]) => micros)),
          Math.min(...book.asks.map(([micros]) => micros)),
        ]
        expect(bid).toBeLessThan(ask)
        const total = book.bids.reduce((sum, [, size]) => sum + size, 0)
        expect(total).toBeCloseTo(orders.reduce((sum, { qty }) => sum + qty, 0) / 100, 6)
        books++
      }
    }
    expect(books).toBe(622)
  })
})
