import { describe, expect, it } from 'vitest'
import type { Market } from '#schemas/market'
import { type Answer, answeringVenue } from '#test/support/answeringVenue'
import { normalizeTrades } from '#venues/polymarket/data/tape'
import { normalizeTraderTrades, traders } from '#venues/polymarket/data/traders'
import type { VenueContext } from '#venues/venueContext'

const wallet = `0x${'Ab'.repeat(20)}`
const row = (more: Record<string, unknown> = {}) => ({
  ...{ proxy_wallet: wallet, side: 'BUY', token_id: '123', condition_id: '0xc', size: 10, price: 0.25 },
  ...{ timestamp: 1_790_000_000, name: '', pseudonym: 'Quiet-Fox', transaction_hash: '0xt', title: 't' },
  ...more,
})
const market = { marketId: '500', sourceMetadata: { conditionId: '0xc' }, outcomes: [] } as unknown as Market
const page = { limit: 2, after: null }

describe('trades', () => {
  it('are listed once by a walk, whether the venue’s cursor is a moving offset or an anchor', async () => {
    for (const isOffset of [true, false]) {
      const rows = Array.from({ length: 20 }, (_, n) =>
        row({ transaction_hash: `0x${n}`, timestamp: 1_790_000_000 + n }),
      )
      let newest = 10
      const venue = answeringVenue('polymarket', ['DATA'])
      venue.answer = ({ query }) => {
        const given = (query.cursor ?? null) as string | null
        const list = rows.slice(0, newest).toReversed()
        const from =
          given === null ? 0 : isOffset ? Number(given) : list.findIndex((each) => each.transaction_hash === given) + 1
        const data = list.slice(from, from + 2)
        const next_cursor = isOffset ? String(from + 2) : (data.at(-1)?.transaction_hash as string)
        // One more trade occurs with every page.
        newest++
        return { body: { data, pagination: { limit: 2, offset: 0, has_more: from + 2 < list.length, next_cursor } } }
      }
      const walked: string[] = []
      let after: Awaited<ReturnType<NonNullable<typeof traders.fetchTrades>>>['next'] = null
      do {
        const result = await traders.fetchTrades!(venue.context, market, { limit: 2, after })
        walked.push(...result.rows.map(({ tradeId }) => tradeId))
        after = result.next
      } while (after !== null)
      expect(walked.length).toBe(10)
      expect(new Set(walked).size).toBe(10)
    }
  })

  it('have the same ids as on the tape, also with several fills of a token in one transaction', () => {
    const rows = [row({ size: 3 }), row({ size: 1 }), row({ size: 2, token_id: '124' })]
    const own = rows.filter(({ token_id }) => token_id === '123')
    const tape = normalizeTrades(own, '123')
    const trades = normalizeTraderTrades(rows as never, '500')
    const named = (list: readonly { amount: number | null }[], id: (row: never) => string) =>
      list.map((each) => [id(each as never), each.amount]).sort()
    expect(
      named(
        trades.filter(({ outcomeId }) => outcomeId === '123'),
        ({ tradeId }: { tradeId: string }) => tradeId,
      ),
    ).toEqual(named(tape, ({ id }: { id: string }) => id))
    expect(trades[0]).toMatchObject({
      wallet: wallet.toLowerCase(),
      displayName: 'Quiet-Fox',
      side: 'buy',
      usdSize: 0.75,
    })
  })

  it('keep their ids on any page, with any other fills of the transaction, and when the venue corrects their time', async () => {
    const venue = answeringVenue('polymarket', ['DATA'])
    const [a, b] = [row({ price: 0.5, size: 100 }), row({ price: 0.4, size: 10 })]
    const read = async (data: unknown[], wallet?: string) => {
      venue.answer = () => ({ body: { data, pagination: { limit: 9, offset: 0, has_more: false, next_cursor: null } } })
      const context = { ...venue.context }
      const { rows } = await (wallet === undefined
        ? traders.fetchTrades!(context, market, page)
        : traders.fetchWalletTrades!(context, wallet, page))
      return rows.map(({ tradeId, price }) => [tradeId, price])
    }
    expect(await read([a])).toEqual([['0xt', 0.5]])
    expect(await read([b])).toEqual([['0xt:1', 0.4]])
    for (const both of [
      [a, b],
      [b, a],
    ])
      expect(Object.fromEntries(await read(both))).toEqual({ '0xt': 0.5, '0xt:1': 0.4 })
    expect(await read([{ ...b, timestamp: b.timestamp + 1 }])).toEqual([['0xt:1', 0.4]])
    expect(await read([a, a, b])).toEqual([
      ['0xt', 0.5],
      ['0xt:2', 0.5],
      ['0xt:1', 0.4],
    ])
    // A wallet’s own list also contains maker fills, which are other fills.
    expect(await read([{ ...b, side: 'SELL' }], wallet)).toEqual([['0xt', 0.4]])
  })

  it('follow the venue’s cursor with the same filters, and end where it ends', async () => {
    const venue = answeringVenue('polymarket', ['DATA'])
    const answer = (next_cursor: string | null) => ({
      body: { data: [row()], pagination: { limit: 2, offset: 0, has_more: next_cursor !== null, next_cursor } },
    })
    venue.answer = () => answer('c1')
    const { next } = await traders.fetchTrades!(venue.context, market, page)
    expect(next).toMatchObject({ cursor: 'c1' })
    venue.answer = () => answer(null)
    expect((await traders.fetchTrades!(venue.context, market, { limit: 2, after: next })).next).toBeNull()
    expect(venue.requests.map(({ query }) => query)).toEqual([
      { condition: '0xc', taker_only: true, limit: 2 },
      { condition: '0xc', taker_only: true, limit: 2, cursor: 'c1' },
    ])
  })

  it('are skipped if unreadable; if all are, it is an outage', async () => {
    const venue = answeringVenue('polymarket', ['DATA'])
    const pagination = { limit: 2, offset: 0, has_more: false, next_cursor: null }
    venue.answer = () => ({ body: { data: [row(), { side: 'BUY' }], pagination } })
    expect((await traders.fetchTrades!(venue.context, market, page)).rows).toHaveLength(1)
    expect(venue.warnings).toHaveLength(1)
    venue.answer = () => ({ body: { data: [{ side: 'BUY' }], pagination } })
    await expect(traders.fetchTrades!(venue.context, market, page)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('a fully unreadable response, or a 404 for a known market, is an outage', () => {
  const pagination = { has_more: false, next_cursor: null }
  const holders = (...rows: unknown[]) => ({ data: [{ token_id: '123', holders: rows }], pagination })
  const holder = { proxy_wallet: wallet, amount: 5, current_value: 2 }
  const leader = { rank: 1, user_id: wallet, volume: 1, pnl: 2 }
  const fetchers = {
    trades: (context: VenueContext) => traders.fetchTrades!(context, market, page).then(({ rows }) => rows),
    holders: (context: VenueContext) => traders.fetchHolders!(context, market, 10),
    leaders: (context: VenueContext) =>
      traders.leaderboard!.fetch(context, { by: 'profit', window: 'all', limit: 4 }).then(({ rows }) => rows),
  }
  it.each<[keyof typeof fetchers, Answer]>([
    ['trades', { status: 404, body: {} }],
    ['holders', { status: 404, body: {} }],
    ['holders', { body: { data: [5, 'x'], pagination } }],
    ['holders', { body: holders(null, { proxy_wallet: 'nobody', amount: 1 }) }],
    ['leaders', { status: 404, body: {} }],
    ['leaders', { body: { data: [null, 5, 'x'], pagination } }],
    ['leaders', { body: { data: [{ ...leader, user_id: 'none' }], pagination } }],
  ])('%s: %j', async (what, answer) => {
    const venue = answeringVenue('polymarket', ['DATA'])
    venue.answer = () => answer
    await expect(fetchers[what](venue.context)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  it('an empty list is valid, and unreadable rows are counted', async () => {
    const venue = answeringVenue('polymarket', ['DATA'])
    venue.answer = () => ({ body: holders() })
    expect(await fetchers.holders(venue.context)).toEqual([])
    const leftOut: number[] = []
    const context = { ...venue.context, leftOut: (rows: number) => void leftOut.push(rows) }
    venue.answer = () => ({ body: holders(holder, null) })
    expect(await fetchers.holders(context)).toHaveLength(1)
    venue.answer = () => ({ body: { data: [leader, 5, { ...leader, rank: 0 }], pagination } })
    expect(await fetchers.leaders(context)).toHaveLength(1)
    expect(leftOut).toEqual([1, 2])
  })

  it('a trade with an invalid price has no dollar value', async () => {
    const [trade] = normalizeTraderTrades([row({ price: 1.5 })] as never, '500')
    expect(trade).toMatchObject({ price: null, amount: 10, usdSize: null })
  })
})

it('a hundred leaders are one page; their volume is in shares, so the dollar volume is null', async () => {
  const venue = answeringVenue('polymarket', ['DATA'])
  venue.answer = ({ query }) => ({
    body: {
      data: Array.from({ length: Number(query.limit) }, (_, n) => ({
        ...{ rank: n + 1, user_id: wallet, user_name: 'u', volume: 9, pnl: -2, verified: false },
      })),
      pagination: { limit: 100, offset: 0, has_more: true, next_cursor: 'c' },
    },
  })
  const { rows } = await traders.leaderboard!.fetch(venue.context, { by: 'volume', window: 'month', limit: 100 })
  expect(rows.map(({ rank }) => rank)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
  expect(rows[0]).toMatchObject({ profitUsd: -2, volumeUsd: null })
  expect(venue.requests.map(({ path, query }) => [path, query])).toEqual([
    ['/v2/leaderboard', { time_period: 'month', sort_by: 'VOLUME', limit: 100 }],
  ])
})

describe('a wallet', () => {
  const none = { data: [], pagination: { has_more: false, next_cursor: null } }
  const answers = (given: Record<string, unknown>) => {
    const venue = answeringVenue('polymarket', ['DATA'])
    venue.answer = ({ path }) => (path in given ? { body: given[path] } : { status: 404, body: { error: 'not found' } })
    return venue
  }
  const known = {
    '/v2/leaderboard': { data: { user_id: wallet, user_name: 'Ada', volume: 25, pnl: 3, rank_pnl: 7, rank_volume: 0 } },
    '/v2/user-stats': { data: { proxy_wallet: wallet, trades: 4, biggest_win: 1, views: 0, all_time_pnl: null } },
    '/v2/user-volume': { data: { volume: 25, volume_usdc: 12.5, trade_count: 9 } },
    '/v2/trades': none,
  }

  it('has volume in dollars and a market count; the venue’s profit is not a realised result', async () => {
    const { context } = answers(known)
    expect(await traders.fetchWallet!(context, wallet.toLowerCase())).toMatchObject({
      displayName: 'Ada',
      stats: { marketsTraded: 4, totalVolumeUsd: 12.5, realizedPnlUsd: null, winRate: null, firstSeen: null },
    })
  })

  it('unknown to the venue is null', async () => {
    const { context } = answers({ ...known, '/v2/leaderboard': { data: null }, '/v2/user-stats': { data: null } })
    expect(await traders.fetchWallet!(context, wallet.toLowerCase())).toBeNull()
  })

  it.each(Object.keys(known))('is an outage when %s answers 404', async (path) => {
    const { context } = answers(Object.fromEntries(Object.entries(known).filter(([name]) => name !== path)))
    await expect(traders.fetchWallet!(context, wallet.toLowerCase())).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})
