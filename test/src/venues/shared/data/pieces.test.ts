// Small pure functions: readers, levels, the two outcomes of a binary market.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import { ONE } from '#core/price'
import { binaryOutcomes, ownBook, withOutcomeSuffix } from '#venues/shared/data/binary'
import { complement, type DuplicateLevelPolicy, levelsOf, snapshotOf } from '#venues/shared/data/levels'
import * as read from '#venues/shared/data/parsers'
import { readOptional, readRows, readTape } from '#venues/shared/data/rows'
import { topOnlyBook } from '#venues/shared/data/synthetic'

describe('readers', () => {
  it.each<[unknown, number | null, number | null]>([
    [null, null, null],
    [undefined, null, null],
    ['', null, null],
    ['0', 0, 0],
    [0, 0, 0],
    ['-1.5', -1.5, null],
    [-1.5, -1.5, null],
    ['12.50', 12.5, 12.5],
    ['1e3', null, null],
    ['many', null, null],
    [Number.NaN, null, null],
    [Number.POSITIVE_INFINITY, null, null],
  ])('%j is the number %j and the amount %j', (figure, number, amount) => {
    expect(read.numberOf(figure as string)).toBe(number)
    expect(read.amountOf(figure as string)).toBe(amount)
  })

  it.each<[unknown, number | null, number | null]>([
    [null, null, null],
    ['0', 0, null],
    ['1', ONE, null],
    ['0.415', 415_000, 415_000],
    [0.415, 415_000, 415_000],
    ['1.2', null, null],
    [-0.1, null, null],
    ['0.0000001', null, null],
  ])('%j is the price %j and the quote %j', (price, micros, quote) => {
    expect(read.microsOf(price as string)).toBe(micros)
    expect(read.quoteOf(price as string)).toBe(quote)
  })

  it('base units are exact to the last digit', () => {
    expect(read.unitsOf('1500000', 6)).toBe(1.5)
    expect(read.unitsOf(2_500_000, 6)).toBe(2.5)
    expect(read.unitsOf('415000000000000000', 18)).toBe(0.415)
    for (const none of [null, undefined, '', '1.5', '-1', '0x10', 1.5, 1e21]) expect(read.unitsOf(none, 6)).toBeNull()
  })

  it('placeholder times are null', () => {
    const none = [null, undefined, '', 'soon', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z']
    for (const text of none) expect([read.timeOf(text), read.isoOf(text)]).toEqual([null, undefined])
    expect(read.isoOf('2026-09-06T00:57:41.446134874Z')).toBe('2026-09-06T00:57:41.446Z')
    expect(read.timeOfEpoch(1_790_000_000, 's')).toBe(1_790_000_000_000)
    expect(read.timeOfEpoch('1790000000123', 'ms')).toBe(1_790_000_000_123)
    for (const epoch of [0, null, '0', -5, 1e300]) expect(read.timeOfEpoch(epoch, 's')).toBeNull()
  })

  it('known() drops unknown values and keeps facts', () => {
    const fields = { a: undefined, b: null, c: '', d: 0, e: false }
    expect(read.known(fields)).toEqual({ d: 0, e: false })
    expect(Object.keys(read.omitUndefined(fields))).toEqual(['b', 'c', 'd', 'e'])
  })
})

describe('levels', () => {
  const side = (rows: [unknown, unknown][], twice?: DuplicateLevelPolicy) =>
    levelsOf(rows, ([price, size]) => [read.microsOf(price as string), read.numberOf(size as string)], twice)

  it.each<[string, [unknown, unknown][]]>([
    ['a price of zero', [['0', '1']]],
    ['a price of one', [['1', '1']]],
    ['an invalid price', [['x', '1']]],
    ['an invalid size', [['0.5', null]]],
    ['a negative size', [['0.5', '-1']]],
  ])('%s invalidates the whole side', (_, rows) => {
    expect(side([['0.4', '7'], ...rows])).toBeNull()
  })

  it('drops empty levels; keeps, refuses or sums duplicate prices by policy', () => {
    const rows: [unknown, unknown][] = [
      ['0.4', '7'],
      ['0.40', '2'],
      ['0.3', '0'],
    ]
    expect(side(rows)).toEqual([
      [400_000, 7],
      [400_000, 2],
    ])
    expect(side(rows, 'refused')).toBeNull()
    expect(side(rows, 'summed')).toEqual([[400_000, 9]])
  })

  it('a bid for NO is an ask for YES, and back again', () => {
    const level = fc.tuple(fc.integer({ min: 1, max: ONE - 1 }), fc.nat())
    fc.assert(
      fc.property(fc.array(level), (levels) => {
        expect(complement(complement(levels))).toEqual(levels)
        for (const [n, [micros]] of complement(levels).entries()) expect(micros + levels[n]![0]).toBe(ONE)
      }),
    )
  })

  it('a book needs both sides', () => {
    expect(snapshotOf('x', { bids: [], asks: null }, 1)).toBeNull()
    expect(snapshotOf('x', { bids: null, asks: [] }, 1)).toBeNull()
    expect(snapshotOf('x', { bids: [], asks: [] }, 1, { tickMicros: 10 })).toEqual({
      bookId: 'x',
      bids: [],
      asks: [],
      recvTs: 1,
      eventTs: null,
      lastTradeMicros: null,
      isNegRisk: null,
      tickMicros: 10,
    })
  })
})

describe('two outcomes', () => {
  it('mirror each other, unless the venue gives the other’s price', () => {
    const quoted = { price: 400_000, bid: 390_000, ask: null }
    expect(binaryOutcomes('m', ['y', 'n'], quoted)).toMatchObject([
      { outcomeId: 'y', marketId: 'm', label: 'Yes', price: 0.4, bestBid: 0.39, bestAsk: null },
      { outcomeId: 'n', marketId: 'm', label: 'No', price: 0.6, bestBid: null, bestAsk: 0.61 },
    ])
    expect(binaryOutcomes('m', ['y', 'n'], { ...quoted, otherPrice: 620_000 })[1].price).toBe(0.62)
    expect(binaryOutcomes('m', ['y', 'n'], { ...quoted, otherPrice: null })[1].price).toBeNull()
  })

  const isMarketId = (text: string) => /^[A-Z]+-[A-Z-]+$/.test(text)
  it.each([
    ['-NO alone', withOutcomeSuffix({ yes: '', no: '-NO' }, isMarketId)],
    ['both sides', withOutcomeSuffix({ yes: ':long', no: ':short' }, isMarketId)],
  ])('ids with a suffix survive the round trip: %s', (_, { idsOf, bookRef }) => {
    for (const marketId of ['KX-A', 'KX-A-NO', 'KX-NO-B']) {
      const [yes, no] = idsOf(marketId)
      expect(bookRef(yes, marketId)).toEqual({ bookId: marketId, complement: false })
      expect(bookRef(no, marketId)).toEqual({ bookId: marketId, complement: true })
      expect(bookRef(no)).toEqual({ bookId: marketId, complement: true })
    }
    for (const none of ['', 'x', '-NO', ':long', '0x1']) expect(bookRef(none)).toBeNull()
    expect(bookRef(idsOf('KX-A')[0], 'not one')).toBeNull()
  })

  it('with their own books are read by their own ids', () => {
    const bookRef = ownBook((text) => text.startsWith('#'))
    expect(bookRef('#10')).toEqual({ bookId: '#10', complement: false })
    expect(bookRef('10')).toBeNull()
  })
})

it('names the first unreadable rows in the log, then only counts them', () => {
  const warnings: object[] = []
  const log = Object.create(silentLog, {
    warn: { value: (fields: object) => warnings.push(fields) },
  }) as typeof silentLog
  const even = { what: 'row', name: 'id', read: (row: unknown) => ((row as { id: number }).id % 2 === 0 ? row : null) }
  const rows = Array.from({ length: 100 }, (_, id) => ({ id }))
  expect(readRows({ log }, rows, even)).toHaveLength(50)
  expect(warnings).toHaveLength(21)
  expect(warnings[0]).toEqual({ what: 'row', name: 1 })
  expect(warnings.at(-1)).toEqual({ what: 'row', refused: 50 })
  expect(readRows({ log }, null, even)).toEqual([])
})

it('a list of only unreadable trades is a fault, an empty one is not', () => {
  const none = { what: 'trade', name: 'id', read: () => null }
  expect(readTape({ log: silentLog, venue: 'xo' }, [], none)).toEqual([])
  expect(() => readTape({ log: silentLog, venue: 'xo' }, [{}, {}], none)).toThrow(/xo sent an unusable answer/)
})

it('a synthetic book has one level per side, or none without data; a crossed one is null', () => {
  const book = (bid: number | null, ask: number | null, size: number | null = 5) =>
    topOnlyBook('x', { bid: { micros: bid, size }, ask: { micros: ask, size } }, 1)
  expect(book(400_000, 410_000)).toMatchObject({ bids: [[400_000, 5]], asks: [[410_000, 5]], recvTs: 1 })
  expect(book(null, 410_000)).toMatchObject({ bids: [], asks: [[410_000, 5]] })
  for (const size of [null, 0, -1]) expect(book(400_000, 410_000, size)).toMatchObject({ bids: [], asks: [] })
  expect(book(0, ONE)).toMatchObject({ bids: [], asks: [] })
  for (const bid of [410_000, 420_000]) expect(book(bid, 410_000)).toBeNull()
})

it('the catalog works without an optional list, but not when the list is only delayed', async () => {
  const { signal } = new AbortController()
  const read = (fault: Fault, signalled = signal) =>
    readOptional({ log: silentLog, signal: signalled }, 'no list', [], Promise.reject(fault))
  expect(await read(new Fault('NETWORK_ERROR', 'gone'))).toEqual([])
  const limited = new Fault('NETWORK_ERROR', 'later', { retryAfterSeconds: 3 })
  await expect(read(limited)).rejects.toBe(limited)
  await expect(read(new Fault('NETWORK_ERROR', 'gone'), AbortSignal.abort())).rejects.toMatchObject({ message: 'gone' })
})
