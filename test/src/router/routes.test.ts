// Plans, groups and closing plans over HTTP with a real database.
import { beforeEach, describe, expect, it } from 'vitest'
import { candidatesMax } from '#router/plan/route'
import { keys } from '#test/src/server/http/world'
import { executionSuite, refused } from '#test/support/execution/suite'
import {
  equalScene,
  geminiMarket,
  legsOf,
  novigMarket,
  pair,
  postRouter,
  type RouterScene,
  reportFill,
  routedOptions,
} from '#test/support/routerWorld'

const { pg, worldOf, count } = executionSuite()
let scene: RouterScene
beforeEach(() => {
  scene = equalScene()
})
const routed = () => worldOf(routedOptions(scene, pg))

const order = { venue: 'novig', marketId: 'a', outcomeSide: 'YES', isBuy: true, size: 50 }

describe('a plan', () => {
  it('is a dry run: the split with its artifacts, and nothing stored', async () => {
    const world = await routed()
    const reply = await postRouter(world, 'plan', order, 'k')
    expect(reply.status).toBe(200)
    const { data } = reply.json
    expect(legsOf(reply)).toEqual([
      ['novig', 'a-Yes', '30'],
      ['kalshi', 'b-No', '20'],
    ])
    expect(data).toMatchObject({ groupId: null, status: 'planned', kind: 'route' })
    expect(data.quote).toMatchObject({
      contracts: '50',
      total: '20.4',
      averagePrice: '0.408',
      filled: true,
      proven: true,
    })
    expect(data.alternatives).toEqual([
      { venue: 'novig', marketId: 'a', structure: false, contracts: '30', averageTotal: '0.4', total: '12' },
      { venue: 'kalshi', marketId: 'b', structure: false, contracts: '50', averageTotal: '0.42', total: '21' },
    ])
    expect(data.leftOut).toEqual([{ venue: 'gemini', marketId: 'c', structure: false, reason: 'not_verified' }])
    expect(data.legs.map(({ execution }: { execution: { unsigned: object } }) => execution.unsigned)).toMatchObject([
      { outcome: 'a-Yes', size: 30, price: 0.4, isBuy: true },
      { outcome: 'b-No', size: 20, price: 0.42, isBuy: true },
    ])
    expect(await count('router_groups')).toBe(0)
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('by the cluster’s question names the same answer', async () => {
    const world = await routed()
    const body = { clusterId: 'cluster', outcomeSide: 'YES', isBuy: true, size: 50 }
    expect(legsOf(await postRouter(world, 'plan', body, 'k'))).toEqual([
      ['novig', 'a-Yes', '30'],
      ['kalshi', 'b-No', '20'],
    ])
  })

  it('of a sale takes the bids, within the balances', async () => {
    const world = await routed()
    const body = { ...order, isBuy: false, size: 20, balances: { novig: '5.5' } }
    expect(legsOf(await postRouter(world, 'plan', body, 'k'))).toEqual([
      ['novig', 'a-Yes', '5'],
      ['kalshi', 'b-No', '15'],
    ])
  })

  it('of an amount spends at most that', async () => {
    const world = await routed()
    const { size: _, ...rest } = order
    const reply = await postRouter(world, 'plan', { ...rest, amount: '16.25' }, 'k')
    expect(reply.json.data.quote).toMatchObject({ contracts: '40', total: '16.2', filled: true })
  })

  it.each([
    ['venue_excluded', { excludeVenues: ['novig'] }, 'novig'],
    ['venue_not_allowed', { venues: ['novig'] }, 'kalshi'],
    ['worst_price', { worstPrice: '0.41' }, 'kalshi'],
    ['book_too_old', { bookAgeMaxMs: 500 }, 'kalshi'],
  ])('leaves a venue out with the reason %s', async (reason, more, venue) => {
    scene.book('b-No', { asks: [[42, 100]], ageMs: 60_000 })
    const world = await routed()
    const { leftOut, legs } = (await postRouter(world, 'plan', { ...order, ...more }, 'k')).json.data
    expect(leftOut).toContainEqual(expect.objectContaining({ venue, reason }))
    expect(legs.map((leg: { venue: string }) => leg.venue)).not.toContain(venue)
  })

  it('leaves out books that are not live', async () => {
    scene.lose('b-No')
    const world = await routed()
    const { leftOut } = (await postRouter(world, 'plan', order, 'k')).json.data
    expect(leftOut).toContainEqual({ venue: 'kalshi', marketId: 'b', structure: false, reason: 'book_not_live' })
  })

  it('without a lane has a leg without an artifact, and is left out when it is stored', async () => {
    scene.cluster!.pairs[1] = pair(novigMarket, geminiMarket)
    scene.book('c-Yes', { asks: [[10, 5]] })
    const world = await routed()
    const dry = (await postRouter(world, 'plan', order, 'k')).json.data
    const unarmed = dry.legs.find(({ venue }: { venue: string }) => venue === 'gemini')
    expect(unarmed).toMatchObject({ size: '5', execution: null, error: { code: 'VENUE_NOT_SUPPORTED' } })
    const kept = (await postRouter(world, 'plan', { ...order, persist: true }, 'k2')).json.data
    expect(kept.leftOut).toContainEqual({ venue: 'gemini', marketId: 'c', structure: false, reason: 'lane_not_armed' })
    expect(kept.legs).toHaveLength(2)
  })

  /** The market at Kalshi, and two others with 10 contracts at 15 cents each. */
  function listCompleteSet(): void {
    for (const id of ['x', 'y']) {
      scene.list('kalshi', id)
      scene.book(`${id}-Yes`, { asks: [[15, 10]] })
    }
    const members = ['b', 'x', 'y'].map((id) => ({ market: `kalshi:${id}`, side: 'yes' as const }))
    scene.relations = [{ id: 'r', band: 'verified', kind: 'outcomes', members, complete: true }]
  }

  it('buys all other outcomes of a complete set where that is cheaper', async () => {
    listCompleteSet()
    const world = await routed()
    const reply = await postRouter(world, 'plan', { ...order, size: 15 }, 'k')
    expect(legsOf(reply)).toEqual([
      ['novig', 'a-Yes', '5'],
      ['kalshi', 'x-Yes', '10'],
      ['kalshi', 'y-Yes', '10'],
    ])
    expect(reply.json.data.legs.map(({ component }: { component: number }) => component)).toEqual([0, 1, 1])
    const alone = await postRouter(world, 'plan', { ...order, size: 15, structures: false }, 'k')
    expect(legsOf(alone)).toEqual([['novig', 'a-Yes', '15']])
  })

  it('leaves out a complete set beyond the number of ways that it compares, with a reason', async () => {
    listCompleteSet()
    // With the two of the scene there is no place left.
    for (let n = 2; n < candidatesMax; n++) {
      const marketId = `m${n}`
      scene.list('kalshi', marketId)
      scene.book(`${marketId}-Yes`, { asks: [[60, 1]] })
      scene.cluster!.members.push({ venue: 'kalshi', marketId, polarity: 'same' })
      scene.cluster!.pairs.push(pair(novigMarket, ['kalshi', marketId]))
    }
    const world = await routed()
    const { leftOut } = (await postRouter(world, 'plan', { ...order, size: 15 }, 'k')).json.data
    expect(leftOut).toContainEqual({ venue: 'kalshi', marketId: 'b', structure: true, reason: 'too_many_markets' })
  })

  it.each([
    ['neither size nor amount', { size: undefined }],
    ['size and amount', { amount: '5' }],
    ['a size beyond the largest', { size: 100_001 }],
    ['more than two decimals', { size: '0.001' }],
    ['a market and a cluster', { clusterId: 'cluster' }],
    ['a balance that is no number', { balances: { novig: '-1' } }],
  ])('with %s is refused', async (_what, more) => {
    const world = await routed()
    expect(refused(await postRouter(world, 'plan', { ...order, ...more }, 'k'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('of an unknown market or cluster is refused', async () => {
    const world = await routed()
    expect(refused(await postRouter(world, 'plan', { ...order, marketId: 'zzz' }, 'k'))).toEqual([
      404,
      'MARKET_NOT_FOUND',
    ])
    const body = { clusterId: 'zzz', outcomeSide: 'YES', isBuy: true, size: 1 }
    expect(refused(await postRouter(world, 'plan', body, 'k'))).toEqual([404, 'CLUSTER_NOT_FOUND'])
  })

  it('needs the scope trade', async () => {
    const world = await routed()
    world.world.verifications.next = null
    const reply = await world.world.post('/v1/router/plan', order, {
      key: keys.reader,
      headers: { 'idempotency-key': 'k' },
    })
    expect(refused(reply)).toEqual([403, 'SCOPE_MISSING'])
  })
})

describe('a kept plan', () => {
  it('builds its executions once: repeated, it is the same group', async () => {
    const world = await routed()
    const first = await postRouter(world, 'plan', { ...order, persist: true }, 'k')
    expect(first.json.data).toMatchObject({ status: 'built', quote: { contracts: '50' } })
    scene.book('a-Yes', { asks: [[1, 500]] })
    const again = await postRouter(world, 'plan', { ...order, persist: true }, 'k')
    expect(again.headers['idempotency-replay']).toBe('true')
    expect(again.json.data).toEqual(first.json.data)
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(2)
    const id = first.json.data.groupId
    expect((await world.get(`/v1/router/groups/${id}`)).json.data).toEqual(first.json.data)
  })

  it('is built once when the same request arrives many times at once', async () => {
    const world = await routed()
    const body = { ...order, persist: true }
    const replies = await Promise.all(Array.from({ length: 4 }, () => postRouter(world, 'plan', body, 'k')))
    expect(new Set(replies.map(({ json }) => json.data.groupId)).size).toBe(1)
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(2)
  })

  it('of another request under its key is refused', async () => {
    const world = await routed()
    await postRouter(world, 'plan', { ...order, persist: true }, 'k')
    const other = await postRouter(world, 'plan', { ...order, size: 3, persist: true }, 'k')
    expect(refused(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('never stores a field that a venue does not take, above all no credential', async () => {
    const world = await routed()
    const body = { ...order, persist: true, accounts: { novig: { apiSecret: 'canary-41' } } }
    expect(refused(await postRouter(world, 'plan', body, 'k'))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await count('router_groups WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('without anything to order is refused, and its key can be used again', async () => {
    const world = await routed()
    const body = { ...order, persist: true, excludeVenues: ['novig', 'kalshi'] }
    expect(refused(await postRouter(world, 'plan', body, 'k'))).toEqual([400, 'BAD_REQUEST'])
    expect(await count('router_groups WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('is not shown to other accounts, and listed newest first', async () => {
    const world = await routed()
    const ids: string[] = []
    for (const key of ['1', '2', '3'])
      ids.unshift((await postRouter(world, 'plan', { ...order, persist: true }, key)).json.data.groupId)
    const page = (await world.get('/v1/router/groups?limit=2')).json
    expect(page.data.map(({ groupId }: { groupId: string }) => groupId)).toEqual(ids.slice(0, 2))
    const rest = (await world.get(`/v1/router/groups?limit=2&cursor=${page.nextCursor}`)).json
    expect(rest.data.map(({ groupId }: { groupId: string }) => groupId)).toEqual(ids.slice(2))
    world.actAs(await world.newAccount())
    expect(refused(await world.get(`/v1/router/groups/${ids[0]}`))).toEqual([404, 'NOT_FOUND'])
    expect((await world.get('/v1/router/groups')).json.data).toEqual([])
  })

  it('follows its legs, and closes what was not filled', async () => {
    const world = await routed()
    const { groupId, legs } = (await postRouter(world, 'plan', { ...order, persist: true }, 'k')).json.data
    const [first, second] = legs.map(({ execution }: { execution: { executionId: string } }) => execution.executionId)
    const read = async () => (await world.get(`/v1/router/groups/${groupId}`)).json.data
    await reportFill(pg.pool, first, { status: 'filled', size: '30', price: '0.4' })
    expect(await read()).toMatchObject({ status: 'working', remaining: null, exposure: null })
    expect(refused(await postRouter(world, `groups/${groupId}/close`, {}, 'c0'))).toEqual([400, 'BAD_REQUEST'])
    await reportFill(pg.pool, second, { status: 'canceled', size: '8', price: '0.42', fee: '0.1' })
    expect(await read()).toMatchObject({
      status: 'partial',
      remaining: '12',
      exposure: [],
      legs: [
        { matchedSize: '30', paidPrice: '0.4' },
        { matchedSize: '8', paidPrice: '0.42', paidFee: '0.1' },
      ],
    })
    const closing = (await postRouter(world, `groups/${groupId}/close`, { persist: true }, 'c')).json.data
    expect(closing).toMatchObject({ closesGroupId: groupId, quote: { contracts: '12', total: '4.8' } })
    expect(await read()).toMatchObject({ closedBy: [closing.groupId], remaining: null })
    await reportFill(pg.pool, closing.legs[0].execution.executionId, { status: 'filled', size: '12', price: '0.4' })
    expect(await read()).toMatchObject({ remaining: '0' })
    const own = (await world.get(`/v1/router/groups/${closing.groupId}`)).json.data
    expect((await world.get('/v1/router/groups')).json.data).toEqual([own, await read()])
    expect(refused(await postRouter(world, `groups/${groupId}/close`, {}, 'c2'))).toEqual([400, 'BAD_REQUEST'])
  })
})
