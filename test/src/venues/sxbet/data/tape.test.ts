// Offers and bets converted to our schema. Vectors: ccxt’s recorded answers (MIT), and the same calculation by hand in the venue’s README.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharedFixture } from '#test/support/fixtures'
import { isTrade, normalizeBook, normalizeTrade } from '#venues/sxbet/data/tape'
import { SxbetTrade } from '#venues/sxbet/wire'

const marketHash = '0xbf06c6379c922d8118612d1d7493b20f6df6929437fbf6022904327f9516a2eb'
const offer = (percentageOdds: string, size: string) => ({ percentageOdds, size })
const bookOf = (outcomeOne: ReturnType<typeof offer>[], outcomeTwo: ReturnType<typeof offer>[]) =>
  normalizeBook({ marketHash, version: '00000060000000012', outcomeOne, outcomeTwo }, 7)

describe('a book', () => {
  test('has maker bets on side one as bids, and maker bets on side two as asks at one minus the price', () => {
    expect(bookOf([offer('50250000000000000000', '5000000')], [offer('48000000000000000000', '3000000')])).toEqual({
      bookId: marketHash,
      bids: [[502_500, 5_000_000 / 502_500]],
      // A taker stakes 3.25 at 0.52 and gets 6.25.
      asks: [[520_000, 6.25]],
      eventTs: null,
      recvTs: 7,
      lastTradeMicros: null,
      isNegRisk: null,
      tickMicros: 1_250,
    })
  })

  test('sums offers at one price', () => {
    const half = offer('50000000000000000000', '1000000')
    expect(bookOf([half, half], [])?.bids).toEqual([[500_000, 4]])
  })

  test.each([
    ['odds finer than a millionth', offer('50000000000000000001', '1000000')],
    ['odds of zero', offer('0', '1000000')],
    ['odds of one', offer('100000000000000000000', '1000000')],
  ])('with %s is null', (_, bad) => {
    expect(bookOf([bad], [])).toBeNull()
    expect(bookOf([], [bad])).toBeNull()
  })

  test('is empty when both sides are empty', () => {
    expect(bookOf([], [])).toMatchObject({ bids: [], asks: [] })
  })

  /** Money in whole base units: an oracle that only divides in its last line. */
  const onLadder = fc.integer({ min: 1, max: 799 }).map((step) => BigInt(step) * 1_250n)
  const stake = fc.bigInt({ min: 1_000_000n, max: 10n ** 13n })

  test('keeps what maker and taker of every offer stake and get: the conversion loses nothing', () => {
    fc.assert(
      fc.property(onLadder, stake, fc.boolean(), (odds, size, isOne) => {
        const rows = [offer(String(odds * 10n ** 14n), String(size))]
        const book = bookOf(isOne ? rows : [], isOne ? [] : rows)!
        const [[price, contracts]] = (isOne ? book.bids : book.asks) as [[number, number]]
        const makers = isOne ? price : 1_000_000 - price
        expect(makers).toBe(Number(odds))
        // One dollar per contract: the sum of both stakes is the payout.
        const makerStake = (contracts * makers) / 1e6
        const takerStake = (contracts * (1_000_000 - makers)) / 1e6
        expect(makerStake).toBeCloseTo(Number(size) / 1e6, 4)
        expect(makerStake + takerStake).toBeCloseTo(contracts, 4)
        // The venue’s formula for the taker size: size × (1e20 − odds) / odds.
        expect(takerStake).toBeCloseTo(Number((size * (1_000_000n - odds)) / odds) / 1e6, 4)
      }),
    )
  })

  test('is mirrored when read from the other side', () => {
    const rows = fc.array(fc.tuple(onLadder, stake), { maxLength: 20 })
    fc.assert(
      fc.property(rows, rows, (one, two) => {
        const offersOf = (list: typeof one) =>
          list.map(([odds, size]) => offer(String(odds * 10n ** 14n), String(size)))
        const book = bookOf(offersOf(one), offersOf(two))!
        const other = bookOf(offersOf(two), offersOf(one))!
        const mirror = (levels: typeof book.bids) => levels.map(([price, size]) => [1_000_000 - price, size])
        expect(other.bids).toEqual(mirror(book.asks))
        expect(other.asks).toEqual(mirror(book.bids))
      }),
    )
  })
})

const bet = (more: object = {}) =>
  SxbetTrade.parse({
    tradeId: '0xac6b',
    marketHash,
    isBettingOutcomeOne: true,
    totalStake: '1000000',
    weightedAverageOdds: '40000000000000000000',
    betTime: '2026-07-31T18:22:41.000Z',
    status: 'LOCKED',
    isParlay: false,
    ...more,
  })

describe('a bet', () => {
  const common = { id: '0xac6b', timestamp: Date.parse('2026-07-31T18:22:41.000Z'), amount: 2.5 }

  test('buys its own side: one dollar at 0.4 is two and a half contracts', () => {
    expect(normalizeTrade(bet(), `${marketHash}:1`)).toEqual({
      ...common,
      price: 0.4,
      side: 'buy',
      outcomeId: `${marketHash}:1`,
    })
  })

  test('is a sale on the other side; a bare market id reads like side one', () => {
    expect(normalizeTrade(bet(), `${marketHash}:2`)).toMatchObject({ ...common, price: 0.6, side: 'sell' })
    const other = bet({ isBettingOutcomeOne: false })
    expect(normalizeTrade(other, `${marketHash}:2`)).toMatchObject({ ...common, price: 0.4, side: 'buy' })
    expect(normalizeTrade(other, marketHash)).toMatchObject({ ...common, price: 0.6, side: 'sell' })
  })

  test('over several offers has the average price to the millionth, and its own number of contracts', () => {
    const trade = normalizeTrade(bet({ weightedAverageOdds: '41666666666666666666' }), marketHash)!
    expect(trade.price).toBe(0.416667)
    expect(trade.amount).toBeCloseTo(2.4, 9)
  })

  test.each([
    ['no odds', { weightedAverageOdds: '0' }],
    ['odds beyond certainty', { weightedAverageOdds: '100000000000000000001' }],
    ['no time', { betTime: 'soon' }],
  ])('with %s is null', (_, more) => {
    expect(normalizeTrade(bet(more), marketHash)).toBeNull()
  })

  test('that failed, or is part of a parlay, is not a trade of this market', () => {
    const bets = [{}, { status: 'SETTLED' }, { status: null }, { status: 'FAILED' }, { isParlay: true }]
    expect(bets.map((more) => isTrade(bet(more)))).toEqual([true, true, true, false, false])
  })

  // Rows of order book v2 as recorded: `odds` is one plus the implied probability, to four decimals, on a ladder of 0.00125.
  const files = ['Champions_League_UEFA', 'Veikkausliiga', 'FIFA_World_Cup'].map((league) =>
    sharedFixture(`sxbet/trades/trades_${league}.csv.gz`),
  )
  test.skipIf(files.includes(null))('recorded: a taker’s contracts equal the payout of a winner', () => {
    let takers = 0
    const wrong: unknown[] = []
    for (const file of files) {
      const [head, ...lines] = gunzipSync(readFileSync(file!)).toString().trimEnd().split('\n')
      const columns = head!.split(',')
      for (const line of lines) {
        const row = Object.fromEntries(line.split(',').map((cell, n) => [columns[n]!, cell]))
        const micros = Math.round((Number(row.odds) - 1) / 0.00125) * 1_250
        const trade = normalizeTrade(
          bet({
            tradeId: row.fillHash,
            marketHash: row.marketHash,
            isBettingOutcomeOne: row.side === '1',
            totalStake: String(Math.round(Number(row.stake) * 1e6)),
            weightedAverageOdds: String(BigInt(micros) * 10n ** 14n),
            betTime: new Date(Number(row.betTime) * 1_000).toISOString(),
          }),
          `${row.marketHash}:${row.side === '1' ? 1 : 2}`,
        )!
        if (trade.side !== 'buy' || trade.price !== micros / 1e6) wrong.push(row)
        // Makers’ rows contain the maker’s final return, not the stake; v3 has no maker rows.
        if (row.maker !== '0') continue
        takers++
        if (Math.abs(trade.amount - Number(row.netReturn)) > 2e-6) wrong.push(row)
      }
    }
    expect(wrong).toEqual([])
    expect(takers).toBe(5_051)
  })
})
