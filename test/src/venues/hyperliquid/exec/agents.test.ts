// How often the venue is asked whose agent a signer is.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildOrder, executionOf, type LaneWorld, type Reply, type Seen, submit } from '#test/support/laneWorld'
import { hyperliquidLane as lane } from '#venues/hyperliquid/exec/index'
import { buy, createWorld, owner, rich, sign, stranger } from './world.ts'

let world: LaneWorld
let role: Reply
beforeEach(async () => {
  world = await createWorld()
  role = agentOf(owner.address)
  world.answer((seen) => {
    if (seen.path === '/exchange') return resting
    return isAsk(seen) ? role : rich(seen)
  })
})
afterEach(() => world.close())

const agentOf = (user: string): Reply => ({ body: { role: 'agent', data: { user } } })
const resting: Reply = {
  body: { status: 'ok', response: { type: 'order', data: { statuses: [{ resting: { oid: 1 } }] } } },
}
const isAsk = ({ path, text }: Seen): boolean => path === '/info' && JSON.parse(text).type === 'userRole'
const asks = (): number => world.seen.filter(isAsk).length
const submitBy = async (account = stranger, given: Record<string, unknown> = {}) => {
  const execution = executionOf(await buildOrder(lane, world.context, { ...buy, ...given }))
  return submit(lane, world.context, execution, { signature: await sign(execution, account) })
}
const anybody = () => privateKeyToAccount(generatePrivateKey())

it('never of the owner', async () => {
  expect((await submitBy(owner)).outcome.kind).toBe('accepted')
  expect(asks()).toBe(0)
})

it('once for an agent, however many orders it signs at once or one after another, until the answer is old', async () => {
  await Promise.all(Array.from({ length: 8 }, () => submitBy()))
  for (let i = 0; i < 3; i++) expect((await submitBy()).outcome.kind).toBe('accepted')
  expect(asks()).toBe(1)
  world.clock.advance(10 * 60_000)
  role = { body: { role: 'missing' } }
  await expect(submitBy()).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  expect(asks()).toBe(2)
})

it('again of one who was none, after a quarter of a minute: the owner may have approved it', async () => {
  role = { body: { role: 'missing' } }
  for (let i = 0; i < 3; i++) await expect(submitBy()).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  expect(asks()).toBe(1)
  role = agentOf(owner.address)
  world.clock.advance(15_000)
  expect((await submitBy()).outcome.kind).toBe('accepted')
})

it('of no more than five new signers an owner brings in a minute; agents that are known go on', async () => {
  expect((await submitBy()).outcome.kind).toBe('accepted')
  role = { body: { role: 'missing' } }
  for (let i = 0; i < 4; i++) await expect(submitBy(anybody())).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  await expect(submitBy(anybody())).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 })
  expect(asks()).toBe(5)
  expect((await submitBy()).outcome.kind).toBe('accepted')
  expect((await submitBy(owner)).outcome.kind).toBe('accepted')
  world.clock.advance(60_000)
  await expect(submitBy(anybody())).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
})

it('of no more than ten in a minute in all', async () => {
  role = { body: { role: 'missing' } }
  for (let i = 0; i < 10; i++) {
    await expect(submitBy(anybody(), { owner: anybody().address })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  }
  await expect(submitBy(anybody(), { owner: anybody().address })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(asks()).toBe(10)
})

it('an answer that did not come is asked for again', async () => {
  role = { status: 400, body: null }
  await expect(submitBy()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  role = agentOf(owner.address)
  expect((await submitBy()).outcome.kind).toBe('accepted')
  expect(asks()).toBe(2)
})
