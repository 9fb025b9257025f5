import { beforeEach, describe, expect, it } from 'vitest'
import type { Market } from '#schemas/market'
import { type AnsweringVenue, answeringVenue } from '#test/support/answeringVenue'
import { traders } from '#venues/hyperliquid/data/traders'

const [buyer, seller] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const
const market = (metadata: Record<string, unknown> = {}) =>
  ({
    marketId: '516',
    outcomes: [{ outcomeId: '#5160' }, { outcomeId: '#5161' }],
    sourceMetadata: metadata,
  }) as unknown as Market
const page = { limit: 10, after: null }
let venue: AnsweringVenue
beforeEach(() => {
  venue = answeringVenue('hyperliquid')
})
const requestTypes = () => venue.requests.map(({ body }) => (body as { type: string }).type)

describe('trades', () => {
  const trade = (coin: string, tid: number, side: string, time: number) => ({
    ...{ coin, side, px: '0.4', sz: '10', time, tid, hash: '0x', users: [buyer, seller] },
  })

  const yes = [trade('#5160', 3, 'A', 3_000_000_000_000), trade('#5160', 1, 'B', 1_800_000_000_000)]
  const no = [{ ...trade('#5161', 3, 'B', 3_000_000_000_000), px: '0.6' }, trade('#5161', 2, 'B', 1_900_000_000_000)]
  const read = async (answers: Record<string, unknown[]>, of = market()) => {
    venue.answer = ({ body }) => ({ body: answers[(body as { coin: string }).coin] ?? [] })
    return await traders.fetchTrades!(venue.context, of, page)
  }

  it('of both coins form one list on the scale of the first coin, with the taker by side and duplicate ids merged', async () => {
    const { rows, next } = await read({ '#5160': yes, '#5161': no })
    expect(
      rows.map(({ tradeId, outcomeId, wallet, side, price }) => [tradeId, outcomeId, wallet, side, price]),
    ).toEqual([
      ['3', '#5160', seller, 'sell', 0.4],
      ['2', '#5160', buyer, 'sell', 0.6],
      ['1', '#5160', buyer, 'buy', 0.4],
    ])
    expect([next, rows[0]!.usdSize, rows[1]!.usdSize]).toEqual([null, 4, 6])
    const other = await read({ '#5160': yes }, market({ quoteToken: 'HYPE' }))
    expect(other.rows[0]!.usdSize).toBeNull()
  })

  it('are identical whichever coin they were read from', async () => {
    const pair = { '#5160': yes.slice(0, 1), '#5161': [{ ...no[0]!, users: [seller, buyer] }] }
    const whole = (await read(pair)).rows
    expect(whole).toHaveLength(1)
    expect((await read({ '#5160': pair['#5160'] })).rows).toEqual(whole)
    expect((await read({ '#5161': pair['#5161'] })).rows).toEqual(whole)
  })

  it('of an active market are an outage when the venue does not know its coins; of a closed market they are empty', async () => {
    const of = (status: Market['status']) => ({ ...market(), status })
    venue.answer = () => ({ body: null })
    await expect(traders.fetchTrades!(venue.context, of('active'), page)).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    })
    expect(await traders.fetchTrades!(venue.context, of('resolved'), page)).toEqual({ rows: [], next: null })
  })
})

describe('a wallet', () => {
  const fill = (tid: number, more: Record<string, unknown> = {}) => ({
    ...{ coin: '#5160', side: 'B', px: '0.25', sz: '4', time: 1_790_000_000_000 + tid, tid, dir: 'Buy' },
    ...{ closedPnl: '0.5', feeToken: 'USDC' },
    ...more,
  })

  it('counts only fills of outcomes; a wallet without any is null', async () => {
    venue.answer = () => ({
      body: [fill(2), fill(1, { coin: '#5171', side: 'A' }), fill(3, { coin: 'BTC', px: '100000' })],
    })
    expect(await traders.fetchWallet!(venue.context, buyer)).toMatchObject({
      stats: {
        marketsTraded: 2,
        totalVolumeUsd: 2,
        realizedPnlUsd: 1,
        firstSeen: new Date(1_790_000_000_001).toISOString(),
      },
    })
    venue.answer = () => ({ body: [fill(3, { coin: 'BTC' })] })
    expect(await traders.fetchWallet!(venue.context, seller)).toBeNull()
  })

  it('lists only buys and sells as trades; settlements, splits and merges count towards the result only', async () => {
    venue.answer = () => ({
      body: [
        fill(4, { dir: 'Settlement', side: 'A', px: '1', closedPnl: '3' }),
        fill(3, { dir: 'Split Outcome', px: '0.5', closedPnl: '0.0' }),
        fill(2, { dir: 'Sell', side: 'A', closedPnl: '0.0' }),
        fill(1),
      ],
    })
    const { rows } = await traders.fetchWalletTrades!(venue.context, buyer, page)
    expect(rows.map(({ tradeId, side }) => [tradeId, side])).toEqual([
      ['2', 'sell'],
      ['1', 'buy'],
    ])
    expect(await traders.fetchWallet!(venue.context, buyer)).toMatchObject({
      stats: { totalVolumeUsd: 2, realizedPnlUsd: 3.5 },
    })
  })

  it('takes first seen, last seen and market count from trades only, not from settlements, splits or merges', async () => {
    const iso = (n: number) => new Date(1_790_000_000_000 + n).toISOString()
    venue.answer = () => ({
      body: [
        fill(900, { dir: 'Settlement', side: 'A', px: '1', coin: '#330' }),
        fill(500, { dir: 'Sell', side: 'A' }),
        fill(400),
        fill(100, { dir: 'Split Outcome', coin: '#440' }),
      ],
    })
    expect(await traders.fetchWallet!(venue.context, buyer)).toMatchObject({
      stats: { marketsTraded: 1, firstSeen: iso(400), lastSeen: iso(500) },
    })
    venue = answeringVenue('hyperliquid')
    venue.answer = () => ({ body: [fill(900, { dir: 'Settlement', closedPnl: '3' })] })
    expect(await traders.fetchWallet!(venue.context, buyer)).toMatchObject({
      stats: { marketsTraded: 0, realizedPnlUsd: 3, firstSeen: null, lastSeen: null },
    })
  })

  it('has null dollars when a fill does not prove that it is in dollars', async () => {
    for (const feeToken of ['USDH', '+5170', null, undefined]) {
      venue = answeringVenue('hyperliquid')
      venue.answer = () => ({ body: [fill(2, { feeToken, coin: '#5170' }), fill(1)] })
      const { rows } = await traders.fetchWalletTrades!(venue.context, buyer, page)
      expect(rows.map(({ usdSize }) => usdSize)).toEqual([null, 1])
      expect(await traders.fetchWallet!(venue.context, buyer)).toMatchObject({
        stats: { marketsTraded: 2, totalVolumeUsd: null, realizedPnlUsd: null },
      })
    }
  })

  it('has dollars when a fee was paid in shares and another fill of the outcome shows its currency', async () => {
    for (const [feeToken, expected] of [
      ['USDC', 1],
      ['USDH', null],
    ] as const) {
      venue = answeringVenue('hyperliquid')
      venue.answer = () => ({ body: [fill(2, { feeToken: '+5160' }), fill(1, { coin: '#5161', side: 'A', feeToken })] })
      const { rows } = await traders.fetchWalletTrades!(venue.context, buyer, page)
      expect(rows.map(({ usdSize }) => usdSize)).toEqual([expected, expected])
    }
  })

  it('has a null result when a fill lacks its own, and a null volume when a price is unreadable', async () => {
    venue.answer = () => ({ body: [fill(2, { closedPnl: undefined }), fill(1)] })
    expect(await traders.fetchWallet!(venue.context, buyer)).toMatchObject({
      stats: { totalVolumeUsd: 2, realizedPnlUsd: null },
    })
    venue = answeringVenue('hyperliquid')
    venue.answer = () => ({ body: [fill(2, { px: 'x' }), fill(1)] })
    expect(await traders.fetchWallet!(venue.context, buyer)).toMatchObject({ stats: { totalVolumeUsd: null } })
  })

  it('leaves first seen null when the venue truncates the fills', async () => {
    venue.answer = () => ({ body: Array.from({ length: 2_000 }, (_, n) => fill(n)) })
    expect(await traders.fetchWallet!(venue.context, buyer)).toMatchObject({ stats: { firstSeen: null } })
  })

  it('is read at most once a minute', async () => {
    venue.answer = () => ({ body: [fill(2), fill(1)] })
    await traders.fetchWallet!(venue.context, buyer)
    const readAt = venue.clock.now()
    venue.clock.advance(20_000)
    const first = await traders.fetchWalletTrades!(venue.context, buyer, { limit: 1, after: null })
    const second = await traders.fetchWalletTrades!(venue.context, buyer, { limit: 1, after: first.next })
    expect([first, second].map(({ rows }) => rows.map(({ tradeId }) => tradeId))).toEqual([['2'], ['1']])
    expect(requestTypes()).toEqual(['userFills'])
    // The response says when it was read.
    const again = await traders.fetchWallet!(venue.context, buyer)
    expect([first, second, again].map((response) => response!.keptSince)).toEqual([readAt, readAt, readAt])
    venue.clock.advance(60_000)
    const refetched = await traders.fetchWalletTrades!(venue.context, seller, page)
    expect('keptSince' in refetched).toBe(false)
    await traders.fetchWallet!(venue.context, buyer)
    for (let n = 0; n < 60; n++) await traders.fetchWallet!(venue.context, `0x${String(n).padStart(40, '0')}`)
    await traders.fetchWallet!(venue.context, buyer)
    expect(requestTypes()).toHaveLength(64)
  })
})
