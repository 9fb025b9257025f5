// A leg whose build was refused counts as ended, and may be built again: never both.
import { beforeEach, describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { executionSuite, refused } from '#test/support/execution/suite'
import {
  equalScene,
  postRouter,
  type RouterScene,
  reportFill,
  routedLane,
  routedOptions,
} from '#test/support/routerWorld'

const { pg, worldOf, count } = executionSuite()
let scene: RouterScene
beforeEach(() => {
  scene = equalScene()
})

const order = { venue: 'novig', marketId: 'a', outcomeSide: 'YES', isBuy: true, size: 50, persist: true }

describe('a kept plan of which a leg could not be built', () => {
  async function partlyBuilt() {
    const venue = { isAway: true }
    const kalshi = routedLane('kalshi')
    const gatherFacts = async () => {
      if (venue.isAway) throw new Fault('NETWORK_ERROR', 'the venue does not answer')
      return {}
    }
    const lanes = [routedLane('novig'), { ...kalshi, order: { ...kalshi.order, gatherFacts } }]
    const world = await worldOf({ ...routedOptions(scene, pg), lanes })
    const plan = () => postRouter(world, 'plan', order, 'k')
    const { groupId, legs } = (await plan()).json.data
    expect(legs[1]).toMatchObject({ execution: null, error: { code: 'NETWORK_ERROR' } })
    await reportFill(pg.pool, legs[0].execution.executionId, { status: 'filled', size: '30', price: '0.4' })
    venue.isAway = false
    const close = (key: string) => postRouter(world, `groups/${groupId}/close`, { persist: true }, key)
    return { plan, close, executions: () => count('executions WHERE account_id = $1', [world.accountId]) }
  }

  it('does not build it any more once it is closed without it', async () => {
    const { plan, close, executions } = await partlyBuilt()
    expect((await close('c')).json.data.quote).toMatchObject({ contracts: '20' })
    const again = await plan()
    expect(again.headers['idempotency-replay']).toBe('true')
    expect(again.json.data.legs[1]).toMatchObject({ execution: null, error: { code: 'NETWORK_ERROR' } })
    expect(await executions()).toBe(2)
  })

  it('is not closed once the leg is built', async () => {
    const { plan, close } = await partlyBuilt()
    expect((await plan()).json.data.legs[1]).toMatchObject({ execution: { status: 'built' }, error: null })
    expect(refused(await close('c'))).toEqual([400, 'BAD_REQUEST'])
  })

  it('is closed by one of several requests at once', async () => {
    const { close, executions } = await partlyBuilt()
    const statuses = (await Promise.all(['1', '2', '3'].map(close))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 400, 400])
    expect(await executions()).toBe(2)
  })
})
