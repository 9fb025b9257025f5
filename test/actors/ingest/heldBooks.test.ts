// A book that its venue's best price contradicts: the venue has a second to repair it, during which readers keep the last published book.
import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import type { BookUpdate } from '#schemas/topics'
import { stream } from '#venues/polymarket/data/stream'
import { type StreamedVenue, streamedVenue } from './streamedVenue.ts'

const recorded = readFileSync(
  new URL('../../src/venues/polymarket/fixtures/polymarket_book.jsonl', import.meta.url),
  'utf8',
)
const raw = JSON.parse(recorded.split('\n')[0]!) as {
  asset_id: string
  market: string
  bids: { price: string; size: string }[]
  asks: { price: string; size: string }[]
}
const bookId = raw.asset_id
const stepMs = 5
const best = (side: 'bids' | 'asks'): string => raw[side].at(-1)!.price

let venue: StreamedVenue
let updates: BookUpdate[]
afterEach(() => venue.stop())

async function liveBook(): Promise<void> {
  venue = await streamedVenue({ open: stream.open })
  updates = []
  await venue.bus.subscribe('books', (update) => void updates.push(update))
  venue.ingest.actor.send({ kind: 'demand', purpose: 'readers', gatewayId: 'gateway', marketIds: [bookId], near: [] })
  await venue.eventually(() => expect(venue.open()[0]?.sent.some((text) => text.includes(bookId))).toBe(true))
  whole()
  await venue.eventually(() => expect(venue.statesOf(bookId)).toEqual(['live']))
}

const send = (frame: unknown): void => venue.open()[0]!.events.frame(Buffer.from(JSON.stringify(frame)))

/** The recorded book, as sent now; `without` its best bid. */
function whole(without = false): void {
  const bids = without ? raw.bids.slice(0, -1) : raw.bids
  send({ ...raw, bids, timestamp: String(venue.clock.now()) })
}

/** A change of a level far from the best. */
function change(size: string, bestBid: string): void {
  const row = { asset_id: bookId, price: '0.01', size, side: 'BUY', hash: '0'.repeat(40) }
  send({
    market: raw.market,
    price_changes: [{ ...row, best_bid: bestBid, best_ask: best('asks') }],
    timestamp: String(venue.clock.now()),
    event_type: 'price_change',
  })
}

/** Lets this time pass, and everything that the loop has pending run. */
async function pass(ms: number): Promise<void> {
  for (let n = 0; n < ms; n += stepMs) {
    venue.clock.advance(stepMs)
    await setImmediate()
  }
}

const secondBid = (): string => raw.bids.at(-2)!.price
const newestCore = (): string => updates.at(-1)!.core.toString()

it('a whole book half a second later repairs it: it never becomes stale, and nothing contradictory is published', async () => {
  await liveBook()
  const before = newestCore()
  await pass(5)
  change('7777', secondBid())
  await pass(490)
  expect(newestCore()).toBe(before)
  whole(true)
  await pass(3_000)
  expect(venue.statesOf(bookId).every((state) => state === 'live')).toBe(true)
  expect(newestCore()).not.toBe(before)
})

it('a change that removes the contradiction ends the wait, and is published with the changes received meanwhile', async () => {
  await liveBook()
  await pass(5)
  change('7777', secondBid())
  await pass(900)
  change('7778', best('bids'))
  await pass(1_500)
  expect(venue.statesOf(bookId).every((state) => state === 'live')).toBe(true)
  expect(newestCore()).toContain('7778')
})

it('without a repair it is stale after one second, which further contradictions do not prolong', async () => {
  await liveBook()
  await pass(5)
  change('7777', secondBid())
  await pass(600)
  change('7778', secondBid())
  await pass(395)
  expect(venue.newest(bookId)).toBe('live')
  await pass(20)
  expect(venue.newest(bookId)).toBe('stale best_mismatch')
  expect(newestCore()).not.toContain('7778')
})

it('a crossed book that the venue’s best contradicts is held too, and is not published crossed', async () => {
  await liveBook()
  const before = newestCore()
  await pass(5)
  const row = { asset_id: bookId, price: best('asks'), size: '1', side: 'BUY', hash: '0'.repeat(40) }
  send({
    market: raw.market,
    price_changes: [{ ...row, best_bid: best('asks'), best_ask: raw.asks.at(-2)!.price }],
    timestamp: String(venue.clock.now()),
    event_type: 'price_change',
  })
  await pass(990)
  expect(newestCore()).toBe(before)
  await pass(20)
  expect(venue.newest(bookId)).toBe('stale crossed')
})

it('a second contradicting best_bid_ask starts the wait, and an agreeing one ends it', async () => {
  await liveBook()
  const event = (bid: string): void =>
    send({
      event_type: 'best_bid_ask',
      market: raw.market,
      asset_id: bookId,
      best_bid: bid,
      best_ask: best('asks'),
      spread: '0.01',
      timestamp: String(venue.clock.now()),
    })
  await pass(5)
  event(secondBid())
  event(secondBid())
  await pass(900)
  event(best('bids'))
  await pass(500)
  expect(venue.newest(bookId)).toBe('live')
  event(secondBid())
  event(secondBid())
  await pass(990)
  expect(venue.newest(bookId)).toBe('live')
  await pass(20)
  expect(venue.newest(bookId)).toBe('stale best_mismatch')
})

it('each contradiction starts its own one-second wait', async () => {
  await liveBook()
  await pass(5)
  change('7777', secondBid())
  await pass(700)
  change('7778', best('bids'))
  await pass(5)
  change('7779', secondBid())
  await pass(900)
  expect(venue.newest(bookId)).toBe('live')
  await pass(150)
  expect(venue.newest(bookId)).toBe('stale best_mismatch')
})

it('an unreadable change makes it stale immediately, also during the wait', async () => {
  await liveBook()
  await pass(5)
  change('7777', secondBid())
  await pass(5)
  change('many', secondBid())
  await pass(5)
  expect(venue.newest(bookId)).toBe('stale unreadable')
})
