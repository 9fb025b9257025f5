// How often the lane requests the role of a signer from the venue.
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
    return isRoleRequest(seen) ? role : rich(seen)
  })
})
afterEach(() => world.close())

const agentOf = (user: string): Reply => ({ body: { role: 'agent', data: { user } } })
const resting: Reply = {
  body: { status: 'ok', response: { type: 'order', data: { statuses: [{ resting: { oid: 1 } }] } } },
}
const isRoleRequest = ({ path, text }: Seen): boolean => path === '/info' && JSON.parse(text).type === 'userRole'
const roleRequestCount = (): number => world.seen.filter(isRoleRequest).length
const submitBy = async (account = stranger, given: Record<string, unknown> = {}) => {
  const execution = executionOf(await buildOrder(lane, world.context, { ...buy, ...given }))
  return submit(lane, world.context, execution, { signature: await sign(execution, account) })
}
const randomAccount = () => privateKeyToAccount(generatePrivateKey())

it('makes no role request for the owner', async () => {
  expect((await submitBy(owner)).outcome.kind).toBe('accepted')
  expect(roleRequestCount()).toBe(0)
})

it('makes one role request per agent for concurrent and later orders, until the answer expires', async () => {
  await Promise.all(Array.from({ length: 8 }, () => submitBy()))
  for (let i = 0; i < 3; i++) expect((await submitBy()).outcome.kind).toBe('accepted')
  expect(roleRequestCount()).toBe(1)
  world.clock.advance(10 * 60_000)
  role = { body: { role: 'missing' } }
  await expect(submitBy()).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  expect(roleRequestCount()).toBe(2)
})

it('repeats the request for a signer that was no agent after 15 seconds, as the owner may have approved it', async () => {
  role = { body: { role: 'missing' } }
  for (let i = 0; i < 3; i++) await expect(submitBy()).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  expect(roleRequestCount()).toBe(1)
  role = agentOf(owner.address)
  world.clock.advance(15_000)
  expect((await submitBy()).outcome.kind).toBe('accepted')
})

it('limits new signers to five per owner and minute; known agents continue', async () => {
  expect((await submitBy()).outcome.kind).toBe('accepted')
  role = { body: { role: 'missing' } }
  for (let i = 0; i < 4; i++)
    await expect(submitBy(randomAccount())).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
  await expect(submitBy(randomAccount())).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 })
  expect(roleRequestCount()).toBe(5)
  expect((await submitBy()).outcome.kind).toBe('accepted')
  expect((await submitBy(owner)).outcome.kind).toBe('accepted')
  world.clock.advance(60_000)
  await expect(submitBy(randomAccount())).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
})

it('limits role requests to ten per minute in total', async () => {
  role = { body: { role: 'missing' } }
  for (let i = 0; i < 10; i++) {
    await expect(submitBy(randomAccount(), { owner: randomAccount().address })).rejects.toMatchObject({
      code: 'INVALID_SIGNATURE',
    })
  }
  await expect(submitBy(randomAccount(), { owner: randomAccount().address })).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  })
  expect(roleRequestCount()).toBe(10)
})

it('repeats a request that failed', async () => {
  role = { status: 400, body: null }
  await expect(submitBy()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  role = agentOf(owner.address)
  expect((await submitBy()).outcome.kind).toBe('accepted')
  expect(roleRequestCount()).toBe(2)
})
