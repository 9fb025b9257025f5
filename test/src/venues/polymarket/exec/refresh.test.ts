import { describe, expect, it } from 'vitest'
import { executionOf } from '#test/support/laneWorld'
import type { LaneExecution } from '#venues/lane'
import { conditionId, laneSuite, tokens } from './world.ts'

const here = laneSuite()
const { build, placed, read } = here

describe('refresh', () => {
  const trade = (id: string, given: Record<string, unknown>) => ({
    id,
    taker_order_id: '0xother',
    market: conditionId,
    asset_id: tokens[0],
    side: 'BUY',
    size: '21.04',
    price: '0.56',
    status: 'CONFIRMED',
    match_time: '1790000001',
    owner: 'canary-owner',
    maker_orders: [],
    ...given,
  })
  const answer = (order: unknown, trades: unknown[]) =>
    here.world.answer(({ path }) =>
      path.startsWith('/data/trades')
        ? { body: { data: trades, next_cursor: 'LTE=' } }
        : path.startsWith('/data/orders')
          ? { body: { data: [], next_cursor: 'LTE=' } }
          : order === null
            ? { status: 404, body: { error: 'order not found' } }
            : { body: order },
    )
  const row = (id: string, status: string) => ({ id, status, original_size: '21.04', size_matched: '0', price: '0.56' })

  it.each([
    ['LIVE', 'acked'],
    ['ORDER_STATUS_LIVE', 'acked'],
    ['DELAYED', 'acked'],
    ['UNMATCHED', 'acked'],
    ['ORDER_STATUS_UNMATCHED', 'acked'],
    ['CANCELED', 'canceled'],
    ['ORDER_STATUS_CANCELED_MARKET_RESOLVED', 'canceled'],
    ['INVALID', 'failed'],
  ])('%s is %s', async (word, status) => {
    const execution = await placed({ status: 'acked' })
    answer(row(execution.clientRef!, word), [])
    expect((await read(execution)).status).toBe(status)
  })

  it('fills come from trades as taker and as maker, without failed ones and without API keys', async () => {
    const execution = await placed({ status: 'submitted' })
    const id = execution.clientRef!
    const maker = {
      order_id: id,
      matched_amount: '1.04',
      price: '0.56',
      asset_id: tokens[0],
      side: 'BUY',
      owner: 'canary-owner',
    }
    answer(null, [
      trade('t1', { taker_order_id: id, size: '20' }),
      trade('t2', { maker_orders: [maker] }),
      trade('t3', { taker_order_id: id, status: 'FAILED' }),
      trade('t4', {}),
    ])
    const seen = await read(execution)
    expect(seen).toMatchObject({ status: 'filled', venueRef: id })
    expect(seen.fills.map(({ key }) => key)).toEqual(['t1:0', 't2:0'])
    expect(JSON.stringify(seen)).not.toContain('canary')
  })

  describe('an order absent from both reads', () => {
    const minute = 60_000
    const hour = 60 * minute
    const acked = async (given: Partial<LaneExecution> = {}) => {
      const now = here.world.clock.now()
      return placed({
        status: 'acked',
        createdAt: now - hour,
        statusSince: now - minute,
        missingSince: now - minute,
        ...given,
      })
    }

    it('is canceled once it has been missing for a minute, however long ago it was built or acknowledged', async () => {
      const now = here.world.clock.now()
      const old = await acked({ statusSince: now - hour, missingSince: null })
      answer(null, [])
      expect(await read(old)).toMatchObject({ status: null, shown: false })
      expect((await read({ ...old, missingSince: now - minute + 1 })).status).toBeNull()
      expect(await read({ ...old, missingSince: now - minute })).toMatchObject({ status: 'canceled', inferred: true })
      // It was missing before the acknowledgement, which is newer.
      const young = { ...old, missingSince: now - minute, statusSince: now - minute + 1 }
      expect((await read(young)).status).toBeNull()
    })

    it('has not ended before all of its reported matched size is in the trades', async () => {
      const gone = await acked({ missingSince: here.world.clock.now() - hour, matchedSize: '5' })
      const match_time = String(here.world.clock.now() / 1_000 - 60)
      for (const trades of [[], [trade('t1', { taker_order_id: gone.clientRef, size: '4.9', match_time })]]) {
        answer(null, trades)
        expect((await read(gone)).status).toBeNull()
      }
      answer(null, [trade('t1', { taker_order_id: gone.clientRef, size: '5', match_time })])
      expect(await read(gone)).toMatchObject({ status: 'canceled', fills: [{ key: 't1:0' }] })
    })

    it.each(['MATCHED_NOT_BROADCASTED', 'MATCHED', 'MINED', 'RETRYING', 'TRADE_STATUS_RETRYING'])(
      'has no fill from a trade in state %s, and has not ended before that trade is final',
      async (status) => {
        const gone = await acked({ missingSince: here.world.clock.now() - hour })
        answer(null, [trade('t1', { taker_order_id: gone.clientRef, status })])
        expect(await read(gone)).toMatchObject({ status: null, fills: [] })
        expect(await read({ ...gone, status: 'submitted' })).toMatchObject({ status: 'acked', fills: [] })
      },
    )

    it('loses the fill of a failed trade, and is not filled', async () => {
      const filled = await acked({ status: 'filled', matchedSize: '21.04' })
      answer(null, [trade('t1', { taker_order_id: filled.clientRef, status: 'FAILED' })])
      const seen = await read(filled)
      expect(seen).toMatchObject({ status: 'canceled', fills: [], withdrawn: [{ key: 't1:0' }] })
      expect(seen.inferred).toBe(false)
    })

    it('keeps its status if it was never acknowledged', async () => {
      const execution = await acked({ status: 'submitted', statusSince: here.world.clock.now() - 1_000 * hour })
      answer(null, [])
      expect(await read(execution)).toMatchObject({ status: null, venueRef: null, fills: [] })
    })

    it('has not ended while its last trade is less than a minute old, as more may follow', async () => {
      const execution = await acked()
      const at = (ms: number) =>
        answer(null, [
          trade('t1', { taker_order_id: execution.clientRef, size: '1', match_time: String(Math.floor(ms / 1_000)) }),
        ])
      at(here.world.clock.now() - minute + 1_000)
      expect((await read(execution)).status).toBeNull()
      at(here.world.clock.now() - minute)
      expect(await read(execution)).toMatchObject({ status: 'canceled', fills: [{ key: 't1:0' }] })
    })

    it.each([
      ['21.04', 'filled'],
      ['21.0301', 'filled'],
      ['21.03', 'canceled'],
    ])('with %s of 21.04 filled is %s, ignoring a remainder below 0.01 shares', async (size, status) => {
      const execution = await acked()
      const match_time = String(here.world.clock.now() / 1_000 - 60)
      answer(null, [trade('t1', { taker_order_id: execution.clientRef, size, match_time })])
      expect((await read(execution)).status).toBe(status)
    })

    it('is expired after its expiry, acknowledged or not', async () => {
      const expiresAt = here.world.clock.now() / 1_000 + 600
      const given = { status: 'submitted', statusSince: here.world.clock.now() } as const
      const execution = executionOf(await build({ expiresAt }), given)
      answer(null, [])
      expect((await read(execution)).status).toBeNull()
      here.world.clock.advance(600_000)
      expect((await read(execution)).status).toBe('expired')
    })

    it('has not ended in the last minute before its expiry, and is then expired, not canceled', async () => {
      const expiresAt = here.world.clock.now() / 1_000 + 600
      const placedAt = here.world.clock.now()
      const execution = executionOf(await build({ expiresAt }), { status: 'acked', statusSince: placedAt })
      here.world.clock.advance(570_000)
      answer(row(execution.clientRef!, 'LIVE'), [])
      expect((await read(execution)).status).toBe('acked')
      answer(null, [])
      expect((await read(execution)).status).toBeNull()
      here.world.clock.advance(30_000)
      const missingSince = here.world.clock.now() - 30_000
      expect((await read({ ...execution, missingSince })).status).toBe('expired')
      // Missing before the venue could have expired it, so it was cancelled.
      expect((await read({ ...execution, missingSince: placedAt + 1_000 })).status).toBe('canceled')
    })

    it('is undecided when a list is malformed', async () => {
      const execution = await acked()
      for (const broken of ['/data/orders', '/data/trades']) {
        here.world.answer(({ path }) =>
          path.startsWith(broken)
            ? { body: {} }
            : path.startsWith('/data/order/')
              ? { status: 404, body: { error: 'order not found' } }
              : { body: { data: [], next_cursor: 'LTE=' } },
        )
        await expect(read(execution)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
      }
    })
  })

  it('trades are requested from a minute before the build, as the venue’s clock may be slow', async () => {
    const execution = await placed({ status: 'acked' })
    answer(null, [])
    await read(execution)
    const tradesRequest = here.world.seen.find(({ path }) => path.startsWith('/data/trades'))!
    expect(new URL(tradesRequest.path, 'http://x').searchParams.get('after')).toBe(
      String(execution.createdAt / 1_000 - 60),
    )
  })

  it('a finished order keeps its status until all its trades are listed', async () => {
    const execution = await placed({ status: 'acked' })
    const id = execution.clientRef!
    const order = { ...row(id, 'MATCHED'), size_matched: '21.04' }
    answer(order, [trade('t1', { taker_order_id: id, size: '20' })])
    expect(await read(execution)).toMatchObject({ status: null, observation: { fillsReconciled: false } })
    // A state that contradicts its own numbers is not final either.
    answer({ ...order, size_matched: '0' }, [])
    expect((await read(execution)).status).toBeNull()
    answer(order, [trade('t1', { taker_order_id: id, size: '20' }), trade('t2', { taker_order_id: id, size: '1.04' })])
    expect(await read(execution)).toMatchObject({ status: 'filled', observation: { fillsReconciled: true } })
  })

  it('a partially matched order that can trade no further is canceled, with its fills', async () => {
    const execution = await placed({ status: 'acked' })
    const id = execution.clientRef!
    const matched = { ...row(id, 'MATCHED'), size_matched: '7' }
    answer(matched, [{ id: 't1', taker_order_id: id, size: '7', price: '0.43', status: 'CONFIRMED', maker_orders: [] }])
    expect(await read(execution)).toMatchObject({
      status: 'canceled',
      matchedSize: '7',
      fills: [{ key: 't1:0', fill: { size: '7', match_time: null } }],
      observation: { fillsReconciled: true },
    })
    answer(matched, [trade('t1', { taker_order_id: id, size: '7', status: 'MINED' })])
    expect(await read(execution)).toMatchObject({ status: null, matchedSize: '7', fills: [] })
  })

  it.each([
    ['CANCELED', '21.04', 'filled'],
    ['CANCELED', '7', 'canceled'],
    ['INVALID', '7', 'canceled'],
    ['INVALID', '0', 'failed'],
  ])('state and sizes are combined: %s with %s of 21.04 matched is %s', async (word, size_matched, status) => {
    const execution = await placed({ status: 'acked' })
    const id = execution.clientRef!
    const trades = size_matched === '0' ? [] : [trade('t1', { taker_order_id: id, size: size_matched })]
    answer({ ...row(id, word), size_matched }, trades)
    const seen = await read(execution)
    expect(seen.status).toBe(status)
    expect(seen.fills).toHaveLength(trades.length)
  })

  it('counts a trade listed on two pages once, with its later status', async () => {
    const execution = await placed({ status: 'acked' })
    const id = execution.clientRef!
    const pages = [
      { data: [trade('t1', { taker_order_id: id, size: '11', status: 'MINED' })], next_cursor: 'MQ==' },
      { data: [trade('t1', { taker_order_id: id, size: '11' })], next_cursor: 'LTE=' },
    ]
    here.world.answer(({ path }) =>
      path.startsWith('/data/trades')
        ? { body: pages[path.includes('next_cursor') ? 1 : 0] }
        : { body: { ...row(id, 'LIVE'), size_matched: '11' } },
    )
    const seen = await read(execution)
    expect(seen).toMatchObject({ status: 'acked', matchedSize: '11', observation: { fillsReconciled: true } })
    expect(seen.fills).toHaveLength(1)
  })

  it('more trades than the read limit do not prove absence', async () => {
    const execution = await placed({ status: 'acked', missingSince: here.world.clock.now() - 3_600_000 })
    let page = 0
    here.world.answer(({ path }) =>
      path.startsWith('/data/trades')
        ? { body: { data: [trade(`o${page}`, {})], next_cursor: `p${page++}` } }
        : path.startsWith('/data/orders')
          ? { body: { data: [], next_cursor: 'LTE=' } }
          : { status: 404, body: { error: 'order not found' } },
    )
    const seen = await read({ ...execution, status: 'submitted' })
    expect(seen).toMatchObject({ status: null })
    expect(seen.undone).not.toBe(true)
    page = 0
    expect(await read(execution)).toMatchObject({ status: null, observation: { reason: /more trades/ } })
  })

  it('an unreadable trade of the account does not hide the others, and does not prove absence', async () => {
    const execution = await placed({ status: 'acked', missingSince: here.world.clock.now() - 3_600_000 })
    const id = execution.clientRef!
    const odd = { ...trade('o1', {}), size: null }
    answer({ ...row(id, 'LIVE'), size_matched: '7' }, [odd, trade('t1', { taker_order_id: id, size: '7' })])
    expect(await read(execution)).toMatchObject({ status: 'acked', matchedSize: '7', fills: [{ key: 't1:0' }] })
    answer(null, [odd])
    expect(await read(execution)).toMatchObject({ status: null, observation: { reason: /more trades/ } })
  })

  it.each([
    ['MATCHED', [{ size: '21.04' }], 'filled'],
    ['MATCHED', [{ size: '7' }], null],
    ['CANCELED', [{ size: '7' }], null],
    ['LIVE', [], 'acked'],
  ])('%s without counts and with trades of %j is %s', async (word, listed, status) => {
    const execution = await placed({ status: 'acked' })
    const id = execution.clientRef!
    const trades = listed.map((given) => trade('t1', { taker_order_id: id, ...given }))
    answer({ ...row(id, word), size_matched: null, original_size: null }, trades)
    const seen = await read(execution)
    expect(seen).toMatchObject({ status, shown: true, observation: { size_matched: null } })
    expect(seen.matchedSize).toBe(listed[0]?.size)
    expect(seen.fills).toHaveLength(trades.length)
  })

  it('an unknown state keeps the status and is reported, and fills are still read', async () => {
    const execution = await placed({ status: 'acked' })
    const id = execution.clientRef!
    answer({ ...row(id, 'ODD'), size_matched: '7' }, [trade('t1', { taker_order_id: id, size: '7' })])
    expect(await read(execution)).toMatchObject({
      status: null,
      shown: true,
      matchedSize: '7',
      fills: [{ key: 't1:0' }],
      observation: { reason: 'the venue reports an unknown order state: ODD' },
    })
    answer({ ...row(id, 'CANCELED'), size_matched: '7' }, [
      trade('t1', { taker_order_id: id, size: '3' }),
      trade('t2', { taker_order_id: id, size: '4', status: 'HALF' }),
    ])
    expect(await read(execution)).toMatchObject({
      status: null,
      fills: [{ key: 't1:0' }],
      observation: { reason: 'the venue reports an unknown trade state: HALF' },
    })
  })

  it('a wrong key is a credential error', async () => {
    const execution = await placed({ status: 'acked' })
    here.world.answer(() => ({ status: 401, body: { error: 'Invalid API key' } }))
    await expect(read(execution)).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  })
})
