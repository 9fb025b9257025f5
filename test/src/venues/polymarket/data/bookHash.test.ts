// Compares the hash of every change with our book: recorded books, a venue that hashes as documented, and one that hashes differently.
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checksumIntervalMs, hashConfirmMs } from '#venues/polymarket/data/hashState'
import { ownFixture, tokenA, watch } from '../support.ts'

interface Level {
  price: string
  size: string
}
interface Book {
  market: string
  asset_id: string
  timestamp: string
  hash: string
  bids: Level[]
  asks: Level[]
  tick_size: string
  last_trade_price: string
}

const market = `0x${'5f65177b394277fd'.repeat(4)}`
const t0 = 1_790_000_000_000

const bookFrame = (book: Book): Buffer => Buffer.from(JSON.stringify({ ...book, event_type: 'book' }))

/** One level of the book, in the venue’s own key order. */
function changeFrame(book: Book, side: 'BUY' | 'SELL', { price, size }: Level): Buffer {
  const best_bid = book.bids.at(-1)?.price ?? '0'
  const best_ask = book.asks.at(-1)?.price ?? '1'
  return Buffer.from(
    `{"market":"${book.market}","price_changes":[{"asset_id":"${book.asset_id}","price":"${price}","size":"${size}","side":"${side}",` +
      `"hash":"${book.hash}","best_bid":"${best_bid}","best_ask":"${best_ask}"}],"timestamp":"${book.timestamp}","event_type":"price_change"}`,
  )
}

describe('a recorded book', () => {
  const recorded = ownFixture('polymarket_book.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Book)

  it.each(recorded.map((book) => [book.asset_id.slice(0, 12), book] as const))(
    '%s has the hash that we compute',
    (_, book) => {
      const { session, broken } = watch([book.asset_id])
      const worst = book.bids.length > 0 ? 'bids' : 'asks'
      const before = structuredClone(book)
      before[worst][0]!.size = '123.45'
      before.timestamp = String(Number(book.timestamp) - 1)
      session.receive(bookFrame(before), t0)
      session.receive(changeFrame(book, worst === 'bids' ? 'BUY' : 'SELL', book[worst][0]!), t0)
      expect(session.counts).toMatchObject({ hashesFitted: 1, hashesUnfitted: 0 })
      expect(broken).toEqual([])
    },
  )
})

/** A venue that hashes as documented, or with another salt. */
function venue(salt = '') {
  const book: Book = {
    market,
    asset_id: tokenA,
    timestamp: String(t0),
    hash: '',
    bids: ['0.1', '0.2', '0.3', '0.4'].map((price) => ({ price, size: '10' })),
    asks: ['0.9', '0.8', '0.7', '0.6'].map((price) => ({ price, size: '20.5' })),
    tick_size: '0.01',
    last_trade_price: '0.5',
  }
  let now = t0
  const seen = watch([tokenA])
  const { session } = seen
  session.receive(bookFrame(book), now)
  return {
    ...seen,
    counts: () => session.counts,
    wait: (ms: number) => {
      now += ms
    },
    trade(price: string, { isSent }: { isSent: boolean }): void {
      book.last_trade_price = price
      const frame = { market, asset_id: tokenA, price, size: '1', fee_rate_bps: '0', side: 'BUY' }
      const text = JSON.stringify({ ...frame, timestamp: String(now), event_type: 'last_trade_price' })
      if (isSent) session.receive(Buffer.from(text), now)
    },
    /** Changes the size of a bid. `lost`: the change is not sent. `hashed`: false sends the previous hash. */
    change(at: number, size: string, { lost = false, hashed = true } = {}): void {
      now++
      book.bids[at]!.size = size
      book.timestamp = String(now)
      const { bids, asks, tick_size, last_trade_price } = book
      const baseFields = { market, asset_id: tokenA, timestamp: book.timestamp, hash: '', bids, asks }
      const whole = { ...baseFields, min_order_size: '15', tick_size, neg_risk: true, last_trade_price }
      if (hashed) book.hash = hash('sha1', salt + JSON.stringify(whole))
      if (!lost) session.receive(changeFrame(book, 'BUY', book.bids[at]!), now)
    },
  }
}

describe('a lost change deep in the book', () => {
  it('is detected by the hashes of the next changes, within a fraction of a second', () => {
    const { change, wait, broken, counts } = venue()
    change(3, '11')
    expect(counts().hashesFitted).toBe(1)
    change(0, '99', { lost: true })
    wait(checksumIntervalMs)
    change(3, '12')
    expect(broken).toEqual([])
    wait(hashConfirmMs)
    change(3, '13')
    expect(broken).toEqual([[tokenA, 'hash_mismatch']])
  })

  it('no longer matters once a snapshot has replaced the book', () => {
    const { change, wait, broken, session } = venue()
    change(3, '11')
    change(0, '99', { lost: true })
    wait(checksumIntervalMs)
    change(3, '12')
    const whole = venue()
    whole.change(0, '99')
    session.receive(
      bookFrame({
        market,
        asset_id: tokenA,
        timestamp: String(t0 + 10_000),
        hash: '',
        bids: [{ price: '0.4', size: '12' }],
        asks: [{ price: '0.6', size: '1' }],
        tick_size: '0.01',
        last_trade_price: '0.5',
      }),
      t0 + 10_000,
    )
    expect(broken).toEqual([])
  })
})

describe('a hash', () => {
  it('is checked at most a few times per second', () => {
    const { change, counts } = venue()
    for (let n = 0; n < checksumIntervalMs; n++) change(3, String(100 + n))
    expect(counts().hashesFitted).toBeLessThanOrEqual(2)
  })

  it('must match again after a trade, whose price is part of it and may arrive late', () => {
    const { change, wait, broken, counts, trade } = venue()
    change(3, '11')
    // The hash already includes the price; the trade message arrives later.
    trade('0.6', { isSent: false })
    wait(checksumIntervalMs)
    change(3, '12')
    expect(counts().hashesUnfitted).toBe(1)
    trade('0.6', { isSent: true })
    wait(hashConfirmMs)
    change(3, '13')
    expect([broken, counts().hashesFitted]).toEqual([[], 2])
  })

  it('that the venue did not update is ignored', () => {
    const { change, wait, broken, counts } = venue()
    change(3, '11')
    for (let n = 0; n < 10; n++) {
      wait(checksumIntervalMs)
      change(3, String(20 + n), { hashed: false })
    }
    expect([broken, counts().hashesUnfitted]).toEqual([[], 0])
  })

  it('of an unknown algorithm breaks no book, and is soon not checked any more', () => {
    const { change, wait, broken, counts } = venue('pepper')
    for (let n = 0; n < 50; n++) {
      wait(checksumIntervalMs)
      change(n % 4, String(20 + n))
    }
    expect([broken, counts().hashesFitted, counts().hashesUnfitted]).toEqual([[], 0, 0])
  })
})
