import { describe, expect, it } from 'vitest'
import type { LaneExecution } from '#venues/lane'
import { opinionLane as lane } from '#venues/opinion/exec/index'
import { credentials, laneSuite, marketId, ok, publicReads } from './world.ts'

const here = laneSuite()
const { placed, read } = here
const orderId = 'a11ee07e-e22f-11f0-9714-0a58a9feac02'
const seconds = () => Math.floor(here.world.clock.now() / 1_000)

const row = ({ orderId: id = orderId, ...given }: Record<string, unknown> & { orderId?: string } = {}) => ({
  orderId: id,
  marketId: Number(marketId),
  side: 0,
  sideEnum: 'Buy',
  outcomeSide: 1,
  tradingMethod: 2,
  price: '0.560000000000000000',
  orderShares: '21.03',
  filledShares: '0',
  status: 1,
  statusEnum: 'Pending',
  createdAt: seconds(),
  ...given,
})
const trade = (given: Record<string, unknown> = {}) => ({
  orderNo: orderId,
  tradeNo: 't-1',
  txHash: '0xab',
  side: 'Buy',
  outcomeSide: 1,
  price: '0.56',
  shares: '21.03',
  amount: '11.78',
  fee: 1e17,
  feeFormatted: '0.1',
  status: 2,
  statusEnum: 'Finished',
  createdAt: seconds(),
  ...given,
})

describe('an acknowledged order', () => {
  const look = async (given: Record<string, unknown>, execution: Partial<LaneExecution> = {}) => {
    here.world.answer((seen) => publicReads(seen))
    const acked = await placed({
      status: 'acked',
      venueRef: orderId,
      statusSince: here.world.clock.now(),
      ...execution,
    })
    here.world.answer(() => ok({ orderData: row(given) }))
    return read(acked)
  }

  it.each([
    ['Pending', 'acked'],
    ['Canceled', 'canceled'],
    ['Expired', 'expired'],
    ['Failed', 'failed'],
  ])('%s is %s', async (statusEnum, status) => {
    expect(await look({ statusEnum })).toMatchObject({ status, shown: true, venueRef: orderId, fills: [] })
  })

  it('uses the status number when the status name is missing', async () => {
    expect(await look({ statusEnum: '', status: 3 })).toMatchObject({ status: 'canceled' })
  })

  it('in an unknown order or trade state keeps its status, reports the state, and fills are still read', async () => {
    expect(await look({ statusEnum: 'Frozen', filledShares: '20', trades: [trade({ shares: '20' })] })).toMatchObject({
      status: null,
      matchedSize: '20',
      fills: [{ key: 't-1' }],
      observation: { reason: 'the venue reports an unknown order state: Frozen' },
    })
    const trades = [trade({ shares: '20' }), trade({ tradeNo: 't-2', shares: '1.03', statusEnum: 'Half' })]
    expect(await look({ statusEnum: 'Finished', filledShares: '21.03', trades })).toMatchObject({
      status: null,
      fills: [{ key: 't-1' }],
      observation: { reason: 'the venue reports an unknown trade state: Half' },
    })
  })

  it('that ended without its filled count is settled by its trades, after they had time to arrive', async () => {
    const given = { statusEnum: 'Canceled', filledShares: null, trades: [trade({ shares: '7' })] }
    expect(await look(given)).toMatchObject({
      status: null,
      fills: [{ key: 't-1' }],
      observation: { filledShares: null },
    })
    here.world.clock.advance(11 * 60_000)
    const statusSince = here.world.clock.now() - 11 * 60_000
    const old = [trade({ shares: '7', createdAt: seconds() - 660 })]
    expect(await look({ ...given, trades: old }, { statusSince })).toMatchObject({ status: 'canceled' })
    const whole = { statusEnum: 'Finished', filledShares: null, trades: [trade()] }
    expect(await look(whole)).toMatchObject({ status: 'filled', observation: { fillsReconciled: true } })
  })

  it('an unreadable field of a trade becomes null, and an unreadable trade is skipped', async () => {
    const trades = [trade({ createdAt: null, price: {} }), { tradeNo: 7 }]
    expect(await look({ filledShares: '21.03', trades })).toMatchObject({
      status: 'acked',
      fills: [{ key: 't-1', fill: { price: null, createdAt: null }, filledAt: here.world.clock.now() }],
      observation: { fillsReconciled: false },
    })
  })

  it('counts a duplicate trade once', async () => {
    const trades = [trade({ shares: '20' }), trade({ shares: '20' })]
    expect(await look({ statusEnum: 'Finished', filledShares: '21.03', trades })).toMatchObject({
      status: null,
      fills: [{ key: 't-1' }],
      observation: { fillsReconciled: false },
    })
  })

  it.each([
    ['Finished', '7', null, 'canceled'],
    ['Canceled', '21.03', 'filled', 'filled'],
    ['Failed', '7', 'canceled', 'canceled'],
  ])('depends on state and sizes: %s with %s of 21.03 filled', async (statusEnum, filledShares, now, later) => {
    const given = { statusEnum, filledShares, trades: [trade({ shares: filledShares })] }
    expect((await look(given)).status).toBe(now)
    here.world.clock.advance(11 * 60_000)
    const statusSince = here.world.clock.now() - 11 * 60_000
    const old = given.trades.map((each) => ({ ...each, createdAt: seconds() - 660 }))
    expect(await look({ ...given, trades: old }, { statusSince })).toMatchObject({
      status: later,
      fills: [{ key: 't-1' }],
    })
  })

  it('Finished comes with its trades, each keyed by its number', async () => {
    const trades = [trade({ shares: '20' }), trade({ tradeNo: 't-2', shares: '1.03' })]
    const seen = await look({ statusEnum: 'Finished', filledShares: '21.03', trades })
    expect(seen).toMatchObject({ status: 'filled', matchedSize: '21.03', observation: { fillsReconciled: true } })
    expect(seen.fills).toMatchObject([
      { key: 't-1', fill: { shares: '20', feeFormatted: '0.1' }, filledAt: seconds() * 1_000 },
      { key: 't-2' },
    ])
  })

  it.each<[string, Record<string, unknown>[]]>([
    ['no trade is listed yet', []],
    ['a trade is pending', [{ statusEnum: 'Pending' }]],
    ['trades are incomplete', [{ shares: '10' }]],
  ])('Finished while %s is not final for ten minutes', async (_, listed) => {
    const trades = listed.map(trade)
    const given = { statusEnum: 'Finished', filledShares: '21.03', trades }
    expect(await look(given)).toMatchObject({ status: null, observation: { fillsReconciled: false } })
    here.world.clock.advance(11 * 60_000)
    const statusSince = here.world.clock.now() - 11 * 60_000
    const old = trades.map((each) => ({ ...each, createdAt: seconds() - 660 }))
    expect(await look({ ...given, trades: old }, { statusSince })).toMatchObject({ status: 'filled' })
  })

  it('a trade that failed on chain is not a fill, and leaves a finished order undecided', async () => {
    const trades = [trade({ shares: '20' }), trade({ tradeNo: 't-2', shares: '1.03', statusEnum: 'Failed' })]
    expect(await look({ statusEnum: 'Finished', filledShares: '21.03', trades })).toMatchObject({
      status: null,
      fills: [{ key: 't-1' }],
      withdrawn: [{ key: 't-2' }],
      observation: { reason: expect.stringMatching(/counts less than its size/) },
    })
  })

  it.each([
    ['error in the body', { body: { errno: 10_404, errmsg: 'order not found', result: null } }],
    ['error under 404', { status: 404, body: { errno: 404, errmsg: 'Not found: order', result: null } }],
    ['empty answer', { body: { errno: 0, errmsg: '', result: { orderData: null } } }],
  ])('an order unknown to the venue has not ended: %s', async (_, reply) => {
    const acked = await placed({ status: 'acked', venueRef: orderId })
    here.world.answer(() => reply)
    expect(await read(acked)).toMatchObject({ status: null, shown: false, observation: { reason: expect.any(String) } })
  })

  it('ignores an answer about another order or market', async () => {
    for (const other of [{ orderId: 'other' }, { marketId: 7 }]) {
      expect(await look(other)).toMatchObject({ status: null, venueRef: orderId })
    }
  })

  it('a wrong key is a credential error', async () => {
    const acked = await placed({ status: 'acked', venueRef: orderId })
    here.world.answer(() => ({ status: 401, body: { errno: 11_002, errmsg: 'Invalid API key', result: null } }))
    await expect(read(acked)).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  })
})

describe('an unacknowledged order', () => {
  const lost = () => placed({ status: 'submitted', statusSince: here.world.clock.now() })
  const lists = (rows: readonly ReturnType<typeof row>[], total: number | null = rows.length) =>
    here.world.answer((seen) => {
      const { pathname, searchParams } = new URL(seen.path, 'http://venue')
      if (pathname === '/quoteToken') return publicReads(seen)
      if (pathname !== '/order') return ok({ orderData: rows.find(({ orderId }) => pathname.endsWith(orderId)) })
      const page = Number(searchParams.get('page'))
      return ok({ total, list: rows.slice((page - 1) * 20, page * 20) })
    })
  const search =
    (given: { claimed?: string[]; alike?: number } = {}) =>
    async () => ({
      sentAt: here.world.clock.now(),
      claimed: new Set(given.claimed ?? []),
      alike: given.alike ?? 1,
    })
  const find = async (execution: LaneExecution, given = {}) =>
    lane.refresh!.read(here.world.context, execution, lane.refresh!.body.parse(credentials) as never, search(given))

  it('is the one with the same fields, on any page and in any state', async () => {
    const others = Array.from({ length: 30 }, (_, i) => row({ orderId: `o-${i}`, price: '0.5' }))
    lists([...others, row({ statusEnum: 'Canceled', status: 3 })])
    expect(await find(await lost())).toMatchObject({ status: 'canceled', venueRef: orderId })
    expect(here.world.seen.map(({ path }) => path).filter((path) => path.startsWith('/order?'))).toEqual([
      `/order?marketId=${marketId}&chainId=56&limit=20&page=1`,
      `/order?marketId=${marketId}&chainId=56&limit=20&page=2`,
    ])
  })

  it.each<[string, Record<string, unknown>]>([
    ['another side', { sideEnum: 'Sell' }],
    ['another outcome', { outcomeSide: 2 }],
    ['another price', { price: '0.57' }],
    ['another size', { orderShares: '21.05' }],
    ['another time', { createdAt: 1_700_000_000 }],
  ])('does not match %s, and is then absent', async (_, given) => {
    lists([row(given)])
    expect(await find(await lost())).toMatchObject({ status: null, shown: false, undone: true })
  })

  it('does not match orders of other executions; more matches than executions are undecided', async () => {
    lists([row()])
    expect(await find(await lost(), { claimed: [orderId] })).toMatchObject({ shown: false, undone: true })
    lists([row(), row({ orderId: 'twin' })])
    const ambiguous = await find(await lost())
    expect(ambiguous).toMatchObject({
      status: null,
      mayBe: 'order',
      observation: { reason: expect.stringMatching(/^2 orders/) },
    })
    expect(ambiguous.undone).toBeUndefined()
    expect(await find(await lost(), { alike: 2 })).toMatchObject({ status: 'acked', venueRef: orderId })
  })

  it('counts an order once on shifting pages, and is absent only if all orders of the total were seen', async () => {
    const others = Array.from({ length: 22 }, (_, i) => row({ orderId: `o-${i}`, price: '0.5' }))
    const shifted = (pages: (readonly ReturnType<typeof row>[])[], total: number) =>
      here.world.answer((seen) => {
        const { pathname, searchParams } = new URL(seen.path, 'http://venue')
        if (pathname === '/quoteToken') return publicReads(seen)
        if (pathname !== '/order') return ok({ orderData: row() })
        return ok({ total, list: pages[Number(searchParams.get('page')) - 1] ?? [] })
      })
    const first = [...others.slice(0, 19), row()]
    shifted([first, [row(), ...others.slice(19)]], 23)
    expect(await find(await lost())).toMatchObject({ status: 'acked', venueRef: orderId })
    // The twentieth order is listed twice, so the last one of the total is missing.
    shifted([others.slice(0, 20), others.slice(19, 22)], 23)
    const unproven = await find(await lost())
    expect(unproven).toMatchObject({ status: null })
    expect(unproven.undone).toBeUndefined()
  })

  it.each<[string, Record<string, unknown>]>([
    ['no count', { filledShares: null }],
    ['no time', { createdAt: null }],
    ['an unknown status string', { status: 'odd' }],
    ['no side', { sideEnum: null }],
    ['a market id as a string', { marketId: String(marketId) }],
  ])('another order’s row with %s does not hide ours', async (_, odd) => {
    lists([row({ orderId: 'other', price: '0.5', ...odd }), row()])
    expect(await find(await lost())).toMatchObject({ status: 'acked', venueRef: orderId })
  })

  it('an unreadable or incomparable row does not prove absence', async () => {
    for (const odd of [{ orderId: 7 as never }, { sideEnum: null }, { createdAt: null }]) {
      lists([row(odd)])
      const unproven = await find(await lost())
      expect(unproven).toMatchObject({ status: null, observation: { reason: expect.any(String) } })
      expect(unproven.undone).toBeUndefined()
    }
  })

  it('is undecided when there are more orders than the read limit', async () => {
    lists(Array.from({ length: 250 }, (_, i) => row({ orderId: `o-${i}`, price: '0.5' })))
    const seen = await find(await lost())
    expect(seen).toMatchObject({ status: null, observation: { reason: expect.stringMatching(/more orders/) } })
    expect(seen.shown).toBeUndefined()
  })
})
