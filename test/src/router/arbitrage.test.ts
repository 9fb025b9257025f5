// The legs of arbitrage rows and structures over HTTP with a real database.
import { beforeEach, describe, expect, it } from 'vitest'
import { candidatesMax } from '#router/plan/route'
import { executionSuite, refused } from '#test/support/execution/suite'
import {
  equalScene,
  geminiMarket,
  kalshiMarket,
  legsOf,
  novigMarket,
  pair,
  postRouter,
  type RouterScene,
  reportFill,
  routedOptions,
} from '#test/support/routerWorld'

const { pg, worldOf } = executionSuite()
let scene: RouterScene
beforeEach(() => {
  scene = equalScene()
})
const routed = () => worldOf(routedOptions(scene, pg))

const order = { venue: 'novig', marketId: 'a', outcomeSide: 'YES', isBuy: true, size: 50 }

describe('an arbitrage', () => {
  const body = { minEdge: '0.1' }

  it('has the legs of the best pair at the size and the edge available now', async () => {
    // YES at 40, and the NO of the question at 55 on the inverse market: 20 contracts with 5 cents each.
    const world = await routed()
    const { data } = (await postRouter(world, 'arbitrage/cluster', body, 'k')).json
    expect(data).toMatchObject({ kind: 'arbitrage', quote: { contracts: '20', total: '19', payout: '20', edge: '1' } })
    expect(data.legs.map(({ outcomeId, size }: { outcomeId: string; size: string }) => [outcomeId, size])).toEqual([
      ['a-Yes', '20'],
      ['b-Yes', '20'],
    ])
  })

  it('by a row’s id has the legs of that row', async () => {
    const world = await routed()
    const row = (await postRouter(world, 'arbitrage/cluster:novig:kalshi', body, 'k')).json.data
    expect(row.quote.edge).toBe('1')
    // 42 for YES and 57 for NO leave a cent each.
    const other = (await postRouter(world, 'arbitrage/cluster:kalshi:novig', body, 'k')).json.data
    expect(other.quote).toMatchObject({ contracts: '100', edge: '1' })
  })

  it.each([
    ['below the stated edge', { minEdge: '1.01' }],
    ['at a size that is not offered', { minEdge: '0', size: 31 }],
    ['of venues that are not allowed', { minEdge: '0', excludeVenues: ['kalshi'] }],
  ])('is refused %s', async (_what, more) => {
    const world = await routed()
    const reply = await postRouter(world, 'arbitrage/cluster:novig:kalshi', more, 'k')
    expect(refused(reply)).toEqual([503, 'ARBITRAGE_UNAVAILABLE'])
  })

  it('lists a market that cannot be bought once, however many pairs it is in', async () => {
    scene.cluster!.pairs[1] = pair(novigMarket, geminiMarket)
    const world = await routed()
    const { data } = (await postRouter(world, 'arbitrage/cluster', { ...body, excludeVenues: ['gemini'] }, 'k')).json
    expect(data.leftOut).toEqual([{ venue: 'gemini', marketId: 'c', structure: false, reason: 'venue_excluded' }])
    expect(data.quote.edge).toBe('1')
  })

  it('reads as many markets of a cluster as are compared, and states which were left out', async () => {
    // With the two of the scene one more than is read.
    for (let n = 2; n <= candidatesMax; n++) {
      const marketId = `m${n}`
      scene.list('kalshi', marketId)
      scene.book(`${marketId}-No`, { asks: [[59, 1]] })
      scene.cluster!.members.push({ venue: 'kalshi', marketId, polarity: 'same' })
      scene.cluster!.pairs.push(pair(novigMarket, ['kalshi', marketId]))
    }
    const world = await routed()
    const { data } = (await postRouter(world, 'arbitrage/cluster:novig:kalshi', body, 'k')).json
    expect(data.quote.edge).toBe('1')
    const marketId = `m${candidatesMax}`
    expect(data.leftOut).toEqual([{ venue: 'kalshi', marketId, structure: false, reason: 'too_many_markets' }])
  })

  it('rests on verified pairs only', async () => {
    scene.cluster!.pairs[0] = pair(novigMarket, kalshiMarket, {
      polarity: 'inverse',
      band: 'minor',
      resolutionEquivalence: 'unverified',
    })
    const world = await routed()
    expect(refused(await postRouter(world, 'arbitrage/cluster', body, 'k'))).toEqual([503, 'ARBITRAGE_UNAVAILABLE'])
  })

  it('reports the realised edge next to the quoted one', async () => {
    const world = await routed()
    const { groupId, legs } = (await postRouter(world, 'arbitrage/cluster', { ...body, persist: true }, 'k')).json.data
    const [yes, no] = legs.map(({ execution }: { execution: { executionId: string } }) => execution.executionId)
    await reportFill(pg.pool, yes, { status: 'filled', size: '20', price: '0.4', fee: '0.2' })
    await reportFill(pg.pool, no, { status: 'filled', size: '20', price: '0.55' })
    const { data } = (await world.get(`/v1/router/groups/${groupId}`)).json
    expect(data).toMatchObject({ status: 'filled', exposure: [] })
    expect(data.realised).toEqual({ contracts: '20', total: '19.2', edge: '0.8', quotedEdge: '1' })
  })

  it('with unequal legs states the exposure, and offers what leaves more: completing or selling', async () => {
    const world = await routed()
    const kept = (await postRouter(world, 'arbitrage/cluster', { ...body, persist: true }, 'k')).json.data
    const [yes, no] = kept.legs.map(({ execution }: { execution: { executionId: string } }) => execution.executionId)
    await reportFill(pg.pool, yes, { status: 'filled', size: '20', price: '0.4' })
    await reportFill(pg.pool, no, { status: 'canceled', size: '5', price: '0.55' })
    const path = `groups/${kept.groupId}`
    const { data } = (await world.get(`/v1/router/${path}`)).json
    expect(data).toMatchObject({ status: 'unequal', exposure: [{ position: 0, contracts: '15' }] })
    expect(data.realised).toMatchObject({ contracts: '5', quotedEdge: '0.25' })
    // The missing NO at 55 leaves 45 of a dollar, selling the YES brings 38.
    const complete = (await postRouter(world, `${path}/close`, {}, 'c')).json.data
    expect(legsOf({ json: { data: complete } })).toEqual([['kalshi', 'b-Yes', '15']])
    expect(complete.legs[0]).toMatchObject({ isBuy: true, closesPosition: 1 })
    scene.book('b-Yes', { asks: [[90, 20]] })
    scene.book('a-No', { asks: [[91, 100]] })
    const unwind = (await postRouter(world, `${path}/close`, { persist: true }, 'c2')).json.data
    expect(unwind.legs[0]).toMatchObject({
      venue: 'novig',
      outcomeId: 'a-Yes',
      isBuy: false,
      size: '15',
      closesPosition: 0,
    })
    await reportFill(pg.pool, unwind.legs[0].execution.executionId, { status: 'filled', size: '15', price: '0.38' })
    expect((await world.get(`/v1/router/${path}`)).json.data).toMatchObject({ status: 'unequal', exposure: [] })
  })
})

it('a structure has the legs of its row, and is refused once it no longer exists', async () => {
  const world = await routed()
  const leg = (key: string, side: 'yes' | 'no') => ({ market: key, side })
  scene.structures = [
    {
      id: 's1',
      legs: [leg('novig:a', 'yes'), leg('kalshi:b', 'yes')],
      contracts: 10,
      worstPayout: 10,
      relations: [{ id: 'r', kind: 'exclusive', band: 'verified', reason: null }],
    } as never,
  ]
  const { data } = (await postRouter(world, 'structures/s1', { minEdge: '0.5', sizeMax: '15' }, 'k')).json
  expect(data).toMatchObject({ kind: 'structure', quote: { contracts: '15', edge: '0.75' } })
  expect(refused(await postRouter(world, 'structures/s2', { minEdge: '0.5' }, 'k'))).toEqual([404, 'NOT_FOUND'])
})

it('of a halted account is built, and its submit is refused as for any order', async () => {
  const world = await routed()
  await world.world.post('/v1/exec/halt', { scope: 'account', reason: 'testing' })
  const { data } = (await postRouter(world, 'plan', { ...order, persist: true }, 'k')).json
  expect(data.status).toBe('built')
  expect(refused(await world.submit(data.legs[0].execution.executionId, 's'))).toEqual([403, 'PERMISSION_DENIED'])
  expect(world.venue.calls).toBe(0)
})
