import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Pool, sharesBought, sharesSold } from '#venues/myriad/data/pool'
import { normalizeAction, normalizeBook, normalizeTrade, poolBook } from '#venues/myriad/data/tape'
import { MyriadAction, MyriadBook, MyriadMarket, MyriadTrade } from '#venues/myriad/wire'
import { action, pool as poolRow, trade } from './rows.ts'

const percent = 10n ** 16n

describe('a pool', () => {
  const pool = (outcome: number): Pool => ({ reserves: [1_000_000_000n, 600_000_000n], outcome, fee: 3n * percent })

  test('returns the amounts of its contract', () => {
    expect([sharesBought(pool(0), 50_000_000n), sharesBought(pool(1), 50_000_000n)]).toEqual([
      123_287_972n,
      76_253_934n,
    ])
    expect([sharesSold(pool(0), 40_000_000n), sharesSold(pool(1), 40_000_000n)]).toEqual([115_037_851n, 67_043_565n])
  })

  const reserve = fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n })
  const pools = fc.record({
    reserves: fc.array(reserve, { minLength: 2, maxLength: 5 }),
    outcome: fc.nat(1),
    fee: fc.bigInt({ min: 0n, max: 15n * percent }),
  })

  test('never gives away money: bought shares sell for at most their cost, and more value never buys fewer shares', () => {
    fc.assert(
      fc.property(pools, fc.bigInt({ min: 10n ** 3n, max: 10n ** 12n }), (it, value) => {
        const bought = sharesBought(it, value)
        if (bought === null) return
        const net = value - (value * it.fee) / 10n ** 18n
        const after = it.reserves.map((r, i) => (i === it.outcome ? r + net - bought : r + net))
        const back = sharesSold({ ...it, reserves: after }, value + 1n)
        if (back !== null) expect(back).toBeGreaterThanOrEqual(bought)
        const more = sharesBought(it, value * 2n)
        expect(more!).toBeGreaterThanOrEqual(bought)
        expect(more!).toBeLessThanOrEqual(bought * 2n + 2n)
      }),
    )
  })

  test('as a book has one level per side, for one unit of collateral, around its price', () => {
    const raw = MyriadMarket.parse(poolRow)
    const [yes, no] = [0, 1].map((n) => poolBook(`2741:amm:549:${n}`, raw, String(n), 7))
    expect(yes).toMatchObject({ bookId: '2741:amm:549:0', recvTs: 7, eventTs: null })
    const touch = ({ bids: [bid], asks: [ask] }: typeof yes & object) => [bid!, ask!] as const
    for (const [book, spot] of [
      [yes!, 725_198],
      [no!, 274_802],
    ] as const) {
      const [bid, ask] = touch(book)
      expect(bid[0]).toBeLessThanOrEqual(spot)
      expect(ask[0]).toBeGreaterThanOrEqual(spot)
      expect(ask[0] - bid[0]).toBeLessThan(1_000)
      // One dollar on each side, at a price not better than the pool’s.
      expect((ask[0] * ask[1]) / 1e6).toBeCloseTo(1, 5)
      expect((bid[0] * bid[1]) / 1e6).toBeCloseTo(1, 5)
    }
  })

  test.each([
    ['is closed', { state: 'closed' }],
    ['has no fees in its row', { fees: null }],
    ['has no reserves in its row', { outcomes: poolRow.outcomes.map((outcome) => ({ ...outcome, shares: null })) }],
  ])('that %s has no levels', (_, more) => {
    const raw = MyriadMarket.parse({ ...poolRow, ...more })
    expect(poolBook('2741:amm:549:0', raw, '0', 7)).toMatchObject({ bids: [], asks: [] })
  })

  test('without enough reserves has no bid, and with fees that exceed the gain no ask', () => {
    const thin = poolRow.outcomes.map((outcome) => ({ ...outcome, shares: '0.5' }))
    expect(poolBook('1:amm:1:0', MyriadMarket.parse({ ...poolRow, outcomes: thin }), '0', 7).bids).toEqual([])
    const dear = poolRow.outcomes.map((outcome, n) => ({ ...outcome, shares: n === 0 ? '1' : '90' }))
    const fees = { ...poolRow.fees, buy: { fee: '0.05', treasury_fee: '0.05', distributor_fee: '0.05' } }
    expect(poolBook('1:amm:1:0', MyriadMarket.parse({ ...poolRow, fees, outcomes: dear }), '0', 7).asks).toEqual([])
  })
})

describe('an order book', () => {
  const read = (bids: string[][], asks: string[][]) => normalizeBook('56:ob:1:0', MyriadBook.parse({ bids, asks }), 7)
  const wei = (text: string) => `${text}${'0'.repeat(18 - text.length)}`

  test('has prices in millionths and sizes in shares', () => {
    const book = read(
      [['980000000000000000', '258412594752186597376']],
      [['990000000000000000', '12500000000000000000']],
    )
    expect(book).toMatchObject({ bids: [[980_000, 258.4125947521866]], asks: [[990_000, 12.5]], tickMicros: null })
  })

  test('rounds a price finer than a millionth against the taker', () => {
    const between = '500000100000000000'
    const amount = '1000000000000000000'
    expect(read([[between, amount]], [[between, amount]])).toMatchObject({ bids: [[500_000, 1]], asks: [[500_001, 1]] })
    // A price that rounds to 0 or 1 is dropped.
    expect(read([['1', amount]], [['999999999999999999', amount]])).toMatchObject({ bids: [], asks: [] })
    const twice = read(
      [
        [wei('5'), amount],
        ['500000000000000001', amount],
      ],
      [],
    )
    expect(twice?.bids).toEqual([[500_000, 2]])
  })

  test.each([['0'], ['1000000000000000000']])('with a price of %s is null', (price) => {
    expect(read([[price, '1']], [])).toBeNull()
  })
})

describe('a trade', () => {
  test('of an order book has its outcome’s price', () => {
    expect(normalizeTrade(MyriadTrade.parse(trade), '56:ob:42:0')).toEqual({
      id: '0xfeed:0:0.5:2500000000000000000',
      timestamp: 1_719_835_200_000,
      price: 0.5,
      amount: 2.5,
      side: 'buy',
      outcomeId: '56:ob:42:0',
    })
    expect(normalizeTrade(MyriadTrade.parse({ ...trade, price: '1.5' }), 'x')).toBeNull()
  })

  test('of a pool is priced per share; a price above one becomes null', () => {
    const read = (more: object) => normalizeAction(MyriadAction.parse({ ...action, ...more }), '56:amm:218:0')
    expect(read({})).toMatchObject({ price: 0.625, amount: 800, side: 'buy', timestamp: 1_761_645_928_000 })
    expect(read({ action: 'sell', value: 1, shares: 3 })).toMatchObject({ price: 0.333333, side: 'sell' })
    expect(read({ value: 900 })).toMatchObject({ price: null, amount: 800 })
    expect(read({ shares: 0 })).toBeNull()
  })
})
