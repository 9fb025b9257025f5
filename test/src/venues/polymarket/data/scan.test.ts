import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { AssetTable } from '#venues/polymarket/data/assets'
import { DecodedFrame } from '#venues/polymarket/data/frame'
import { parse } from '#venues/polymarket/data/parse'
import { scan } from '#venues/polymarket/data/scan'
import { below, mutate, pick, type Random, randomFrom } from '../mutate.ts'
import {
  bookFrame,
  changeFrame,
  frame,
  levels,
  market,
  ownFixture,
  scanNothing,
  tokenA,
  tokenB,
  watch,
} from '../support.ts'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const mutations = long ? 1_000_000 : 10_000
/** Enough for a small leak of each to be seen. */
const leakFrames = long ? 200_000 : 6_000
const t0 = 1_790_000_000_000

/** Everything in a decoded frame, as plain values. */
function valuesOf(decoded: DecodedFrame) {
  return Array.from({ length: decoded.messages }, (_, message) => ({
    kind: decoded.kinds[message],
    ts: decoded.times[message],
    asset: decoded.assets[message]?.id ?? null,
    lastTrade: decoded.lastTrades[message],
    tick: decoded.ticks[message],
    transaction: decoded.transactions[message],
    rows: Array.from({ length: (decoded.ends[message] as number) - (decoded.starts[message] as number) }, (_, n) => {
      const row = (decoded.starts[message] as number) + n
      return [
        decoded.rowAssets[row]?.id ?? null,
        decoded.sides[row],
        decoded.prices[row],
        decoded.sizes[row],
        decoded.kinds[message] === 0 ? decoded.bestBids[row] : null,
        decoded.kinds[message] === 0 ? decoded.bestAsks[row] : null,
      ]
    }),
  }))
}

/** Sorts book levels, because one path lists bids before asks and the other keeps the order of the frame. */
const ordered = (messages: ReturnType<typeof valuesOf>) =>
  messages.map((message) =>
    message.kind === 1 ? { ...message, rows: message.rows.toSorted((a, b) => Number(a[1]) - Number(b[1])) } : message,
  )

const recordedBooks = ownFixture('polymarket_book.jsonl').trim().split('\n')
const recordedTrades = ownFixture('polymarket_trade.jsonl').trim().split('\n')
const recordedIds = [...recordedBooks, ...recordedTrades].map((line) => JSON.parse(line).asset_id as string)
const ids = [...new Set([tokenA, ...recordedIds])]

const change = (ts: number, size: string) =>
  changeFrame(ts, [
    { asset: tokenA, price: '0.31', size, side: 'BUY', bestBid: '0.35', bestAsk: '0.39' },
    { asset: tokenB, price: '0.69', size, side: 'SELL', bestBid: '0.61', bestAsk: '0.65' },
  ])

const hotFrames: Buffer[] = [
  ...recordedBooks.map((line) => Buffer.from(line)),
  ...recordedTrades.map((line) => Buffer.from(line)),
  change(t0 + 1, '198'),
  change(t0 + 2, '0.25'),
  changeFrame(t0 + 3, [{ asset: tokenA, price: '0.999', size: '0', side: 'SELL', bestBid: '0', bestAsk: '1' }]),
  bookFrame(
    tokenA,
    t0,
    [
      ['0.30', '100'],
      ['0.35', '12.5'],
    ],
    [
      ['0.45', '7'],
      ['0.39', '122'],
    ],
  ),
  bookFrame(tokenB, t0, [], []),
]
const assetsOf = (known: readonly string[]): AssetTable => {
  const assets = new AssetTable()
  for (const id of known) assets.add(id)
  return assets
}

describe('the scanner', () => {
  it('parses every recorded frequent frame, in the venue’s and in alphabetical key order, exactly like JSON.parse', () => {
    const assets = assetsOf(ids)
    for (const bytes of [...hotFrames, Buffer.from(`[${hotFrames.join(',')}]`), Buffer.from('[]')]) {
      const scanned = new DecodedFrame()
      const parsed = new DecodedFrame()
      expect(scan(bytes, assets, scanned), bytes.toString()).toBe(true)
      expect(parse(bytes, assets, parsed)).toEqual({ rare: [], malformed: [], unread: new Set() })
      expect(ordered(valuesOf(scanned))).toEqual(ordered(valuesOf(parsed)))
    }
  })

  it('leaves white space, escapes, unknown keys, repeated keys and rare events to JSON.parse', () => {
    const assets = assetsOf(ids)
    const decoded = new DecodedFrame()
    const text = change(t0, '5').toString()
    for (const other of [
      ` ${text}`,
      `${text} `,
      text.replace('"0.31"', '"0\\u002e31"'),
      text.replace('"event_type"', '"x":1,"event_type"'),
      text.replace('"event_type"', '"timestamp":"1","event_type"'),
      text.replace('"0.31"', '0.31'),
      text.slice(0, -1),
      `[${text}`,
      `[${text},]`,
      '',
      '{}',
      frame({
        event_type: 'tick_size_change',
        market,
        asset_id: tokenA,
        new_tick_size: '0.001',
        timestamp: '1',
      }).toString(),
    ])
      expect(scan(Buffer.from(other), assets, decoded), other).toBe(false)
  })

  it('never reads remains of an earlier, longer frame', () => {
    const assets = assetsOf(ids)
    const decoded = new DecodedFrame()
    const whole = change(t0, '5')
    expect(scan(whole, assets, decoded)).toBe(true)
    for (let length = 0; length < whole.length; length++)
      expect(scan(whole.subarray(0, length), assets, decoded)).toBe(false)
  })

  it('compares every byte of a change with its cache: a wrong one anywhere is parsed like JSON.parse or left to it', () => {
    const assets = assetsOf([tokenA, tokenB])
    const scanned = new DecodedFrame()
    const parsed = new DecodedFrame()
    const whole = change(t0, '198.25')
    for (let n = 0; n < 3; n++) expect(scan(whole, assets, scanned)).toBe(true)
    let accepted = 0
    for (let at = 0; at < whole.length; at++) {
      for (const wrong of [0x00, 0x22, 0x30, 0x39, 0x3a, 0x5c, 0x61, 0x7d, 0x7f, 0xb0]) {
        const bytes = Buffer.from(whole)
        bytes[at] = wrong
        if (!scan(bytes, assets, scanned)) continue
        accepted++
        const { malformed, rare } = parse(bytes, assets, parsed)
        if (malformed.length + rare.length > 0 || differs(scanned, parsed)) expect.fail(bytes.toString('latin1'))
      }
    }
    // Digits replaced by digits, and any plain byte in the hashes and the market.
    expect(accepted).toBeGreaterThan(500)
    expect(scan(whole, assets, scanned)).toBe(true)
    expect(scanned.rowAssets.slice(0, 2).map((asset) => asset?.id)).toEqual([tokenA, tokenB])
  })

  it('parses many changes in a frame, with tokens in any order, like JSON.parse', () => {
    const random = randomFrom(3)
    const assets = assetsOf([tokenA, tokenB])
    const scanned = new DecodedFrame()
    const parsed = new DecodedFrame()
    for (const count of [1, 3, 100, 800, 2]) {
      const rows = Array.from({ length: count }, () => ({
        asset: pick(random, [tokenA, tokenB, recordedIds[0] as string]),
        price: pick(random, ['0.31', '0.5', '0.999', '1', '0', '0.001']),
        size: pick(random, ['0', '7', '123456789', '1234567890', '12345.6', '0.000001', '1234567.1234567']),
        side: pick(random, ['BUY', 'SELL'] as const),
        bestBid: pick(random, ['0', '0.3', '0.30', '0.301']),
        bestAsk: pick(random, ['1', '0.32', '0.9999']),
      }))
      const bytes = changeFrame(t0, rows)
      expect(scan(bytes, assets, scanned)).toBe(true)
      expect(parse(bytes, assets, parsed).malformed).toEqual([])
      expect(valuesOf(scanned)).toEqual(valuesOf(parsed))
    }
  })

  it('immediately notices added and removed assets', () => {
    const assets = assetsOf([tokenA])
    const decoded = new DecodedFrame()
    const named = (): (string | undefined)[] => {
      expect(scan(change(t0, '5'), assets, decoded)).toBe(true)
      return decoded.rowAssets.slice(0, 2).map((asset) => asset?.id)
    }
    expect([named(), named()]).toEqual([
      [tokenA, undefined],
      [tokenA, undefined],
    ])
    assets.add(tokenB)
    expect(named()).toEqual([tokenA, tokenB])
    assets.remove(tokenA)
    expect(named()).toEqual([undefined, tokenB])
  })

  it('finds each of a thousand assets, and none that was removed', () => {
    const random = randomFrom(7)
    const many = Array.from({ length: 1_000 }, () =>
      Array.from({ length: 70 + below(random, 9) }, (_, i) =>
        i === 0 ? 1 + below(random, 9) : below(random, 10),
      ).join(''),
    )
    const assets = assetsOf(many)
    const decoded = new DecodedFrame()
    const named = (id: string): string | null => {
      expect(scan(bookFrame(id, t0, [], []), assets, decoded)).toBe(true)
      return decoded.assets[0]?.id ?? null
    }
    for (const id of many) expect(named(id)).toBe(id)
    for (const id of many.slice(0, 500)) assets.remove(id)
    for (const [index, id] of many.entries()) expect(named(id)).toBe(index < 500 ? null : id)
  })
})

describe(`${mutations.toLocaleString('en')} mutated frames`, () => {
  const seed = Number(process.env.CROSSBOOK_TEST_SEED ?? 20_261_121)
  let scannedFrames = 0

  it('scanner and JSON.parse path agree or the scanner leaves the frame alone; nothing throws', () => {
    const random = randomFrom(seed)
    const assets = assetsOf(ids)
    const scanned = new DecodedFrame()
    const parsed = new DecodedFrame()
    for (let n = 0; n < mutations; n++) {
      const bytes = damaged(random)
      if (!scan(bytes, assets, scanned)) continue
      scannedFrames++
      const reference = parse(bytes, assets, parsed)
      if (reference.malformed.length > 0 || reference.rare.length > 0 || differs(scanned, parsed))
        expect.fail(`seed ${seed}, frame ${n}: ${bytes.toString()} ${reference.malformed}`)
    }
    // Otherwise this test would check nothing.
    expect(scannedFrames).toBeGreaterThan(mutations / 50)
  }, 600_000)

  it('both paths keep the same books, never publish a crossed one, and never throw', () => {
    const random = randomFrom(seed + 1)
    for (let n = 0; n < mutations / 5; n += 200) {
      const fast = watch(ids)
      const slow = watch(ids, scanNothing)
      for (let step = 0; step < 200; step++) {
        const bytes = step % 20 === 0 ? pick(random, hotFrames) : damaged(random)
        const took = fast.session.receive(bytes, t0 + step)
        if (slow.session.receive(bytes, t0 + step) !== took) expect.fail(`seed ${seed + 1}, frame ${n + step}`)
      }
      const where = `seed ${seed + 1}, frames ${n} to ${n + 200}`
      for (const id of ids) expect(levels(fast.books.get(id)), where).toEqual(levels(slow.books.get(id)))
      expect([fast.broken, fast.trades, fast.malformed, fast.ticks], where).toEqual([
        slow.broken,
        slow.trades,
        slow.malformed,
        slow.ticks,
      ])
      expect(fast.crossedPublished + slow.crossedPublished, where).toBe(0)
    }
  }, 600_000)

  it('damaged frames leak no memory', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const random = randomFrom(seed + 2)
    const seen = watch(ids)
    const feed = (frames: number): number => {
      for (let n = 0; n < frames; n++) {
        seen.session.receive(damaged(random), t0 + n)
        // The lists of the test itself are not measured.
        for (const notes of [seen.malformed, seen.trades, seen.broken, seen.ticks, seen.lastTrades]) notes.length = 0
      }
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = feed(5_000)
    expect(feed(leakFrames) - before, `seed ${seed + 2}`).toBeLessThan(10_000_000)
  }, 600_000)

  it('a book of 10,000 levels per side is the same in both paths, scanned or too large for it', () => {
    const side = (from: number): [string, string][] =>
      Array.from({ length: 4_900 }, (_, n) => [`0.${String(from + n).padStart(4, '0')}`, String(n + 1)])
    for (const times of [1, 3]) {
      const bytes = bookFrame(tokenA, t0, Array(times).fill(side(1)).flat(), Array(times).fill(side(5_000)).flat())
      const fast = watch([tokenA])
      const slow = watch([tokenA], scanNothing)
      fast.session.receive(bytes, t0)
      slow.session.receive(bytes, t0)
      expect(levels(fast.books.get(tokenA))?.bids).toHaveLength(4_900)
      expect(levels(fast.books.get(tokenA))).toEqual(levels(slow.books.get(tokenA)))
    }
  })

  afterAll(() => {
    if (long) console.log(`${scannedFrames} of ${mutations} mutated frames were still scanned`)
  })
})

/** A mutated frequent frame; one in ten is mutated twice. */
function damaged(random: Random): Buffer {
  const once = mutate(pick(random, hotFrames), random)
  return random() < 0.1 && once.length > 0 ? mutate(once, random) : once
}

/** Compares cheap fields first, because a million frames pass here. */
function differs(a: DecodedFrame, b: DecodedFrame): boolean {
  if (a.messages !== b.messages || a.rows !== b.rows) return true
  const left = ordered(valuesOf(a))
  const right = ordered(valuesOf(b))
  return JSON.stringify(left) !== JSON.stringify(right)
}
