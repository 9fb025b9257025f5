// What requests with several items cost.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { defaultPlans } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { defineRoute, type RouteAnswer } from '#server/http/defineRoute'
import { createHttpHandler } from '#server/http/pipeline'
import { MemoryCredits } from './purse.ts'
import { callOf } from './world.ts'

const principal = { accountId: 'a', keyId: 'k', plan: 'free', scopes: ['read'] } as const
const Body = z.object({ items: z.array(z.string()) })
type Body = z.infer<typeof Body>

function itemWorld(price: number, balance: number, answer: Partial<RouteAnswer>) {
  const purse = new MemoryCredits(balance)
  let handled = 0
  const route = defineRoute({
    operationId: 'many',
    method: 'post',
    path: '/many',
    access: { scope: 'read', credits: price, ...(price > 0 && { itemsIn: ({ items }: Body) => items.length }) },
    summary: '',
    body: Body,
    data: z.null(),
    handle: () => {
      handled++
      return { data: null, ...answer } as RouteAnswer
    },
  })
  const handler = createHttpHandler([route], {
    verifier: { verify: () => ({ kind: 'valid', principal }) },
    plans: defaultPlans,
    rateLimiter: createRateLimiter(systemClock),
    families: {},
    credits: purse,
    log: silentLog,
    clock: systemClock,
  })
  const send = async (count: number) => {
    const body = JSON.stringify({ items: Array.from({ length: count }, () => 'i') })
    const { status, headers } = await handler(callOf('POST', '/many', { body }))
    return [status, headers['x-credits-charged'], headers['x-credits-balance']]
  }
  return { purse, send, handled: () => handled }
}

describe.each([
  ['at once', false],
  ['asynchronously', true],
])('credits reserved %s', (_name, slow) => {
  it.each([
    [3, '6', '4'],
    [1, '2', '8'],
    [0, '0', '10'],
    [undefined, '0', '10'],
  ])('of three items, %s are charged', async (rows, charged, balance) => {
    const { purse, send } = itemWorld(2, 10, { rows })
    purse.slow = slow
    expect(await send(3)).toEqual([200, charged, balance])
    expect(purse.open).toBe(0)
  })

  it('are refused for all items before the work, if the account has too few', async () => {
    const { purse, send, handled } = itemWorld(2, 10, { rows: 6 })
    purse.slow = slow
    expect(await send(6)).toEqual([402, '0', '10'])
    expect([handled(), purse.open, purse.kept]).toEqual([0, 0, []])
  })
})

describe('items of a free route that were refused after work was done for them', () => {
  it('cost one credit each', async () => {
    const { purse, send } = itemWorld(0, 10, { refusedAfterWork: 3 })
    expect(await send(4)).toEqual([200, '3', '7'])
    expect(purse).toMatchObject({ open: 0, kept: [['k', 3, 'many']] })
  })

  it('cost nothing if there are none, or if the account has too few credits', async () => {
    expect(await itemWorld(0, 10, { refusedAfterWork: 0 }).send(4)).toEqual([200, undefined, undefined])
    const { purse, send } = itemWorld(0, 2, { refusedAfterWork: 3 })
    expect(await send(4)).toEqual([200, undefined, undefined])
    expect(purse).toMatchObject({ open: 0, balance: 2 })
  })
})
