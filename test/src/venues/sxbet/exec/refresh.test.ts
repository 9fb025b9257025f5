// SX Bet’s executions can only be refreshed, by the specification. Rows as ccxt 4.5.84 parses them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/executions'
import { createLaneWorld, executionOf, type LaneWorld, type Reply } from '#test/support/laneWorld'
import { sxbetStatus } from '#venues/sxbet/exec/index'

const orderId = '0198f2c4-7a11-7c22-8f33-0a1b2c3d4e5f'
const apiKey = 'key-throwaway-1f2e3d'

let world: LaneWorld
beforeAll(async () => {
  world = await createLaneWorld('sxbet', ['REST'])
})
beforeEach(() => {
  world.seen.length = 0
})
afterAll(() => world.close())

const row = (over: object = {}) => ({
  id: orderId,
  marketHash: `0x${'11'.repeat(32)}`,
  totalBetSize: '9000000',
  remainingSize: '9000000',
  status: 'ACTIVE',
  inactiveReason: null,
  updatedAt: '2026-10-01T10:00:00.000Z',
  ...over,
})
const built = { unsigned: {}, bounds: {}, terms: null, owner: null, clientRef: null, warnings: [] } as never
const look = async (reply: Reply, recorded: JsonObject[] = []) => {
  world.answer(() => reply)
  const execution = executionOf(built, { status: 'acked', venueRef: orderId })
  const { refresh } = sxbetStatus
  return refresh!.read(world.context, execution, refresh!.body.parse({ apiKey }), undefined, async () => recorded)
}
const shown = (over: object = {}): Reply => ({ body: { status: 'success', data: { order: row(over) } } })
const fill = (fillAmount: unknown): JsonObject => ({ orderId, fillAmount }) as JsonObject

it('requests one order with the caller’s key', async () => {
  expect(await look(shown())).toMatchObject({ status: 'acked', shown: true, venueRef: orderId, fills: [] })
  expect(world.seen.map(({ method, path, headers }) => [method, path, headers['x-sx-api-key']])).toEqual([
    ['GET', `/orders-v3/${orderId}`, apiKey],
  ])
  expect(sxbetStatus.refresh).toMatchObject({ fields: ['apiKey'], credentialFree: false })
  for (const body of [{}, { apiKey: '' }, { apiKey, more: 1 }, { apiKey: 7 }]) {
    expect(sxbetStatus.refresh!.body.safeParse(body).success).toBe(false)
  }
})

it.each([
  [{ totalBetSize: null }, 'acked'],
  [{ remainingSize: '0.5' }, 'acked'],
  [{ status: 'INACTIVE', inactiveReason: 'FILLED', remainingSize: null }, null],
])('an order without its sizes keeps its status unless it is open, with a reason: %j', async (over, status) => {
  expect(await look(shown(over))).toMatchObject({
    status,
    shown: true,
    fills: [],
    observation: { reason: 'the venue shows the order without its sizes' },
  })
})

describe('new fills are the difference to the recorded fills', () => {
  it.each<[string, string[], string, string | null]>([
    ['nothing filled', [], '9000000', null],
    ['the first', [], '6000000', '3000000'],
    ['more', ['1000000', '500000'], '6000000', '1500000'],
    ['no more', ['3000000'], '6000000', null],
    ['less than recorded', ['5000000'], '6000000', null],
    ['beyond double precision', ['9007199254740993'], '0', '1'],
  ])('%s', async (_, kept, remainingSize, more) => {
    const totalBetSize = kept[0] === '9007199254740993' ? '9007199254740994' : '9000000'
    const { fills } = await look(shown({ totalBetSize, remainingSize }), kept.map(fill))
    expect(fills.map(({ fill: newFill }) => newFill.fillAmount)).toEqual(more === null ? [] : [more])
  })

  it('the same total gives the same fill', async () => {
    const seen = await look(shown({ status: 'INACTIVE', inactiveReason: 'FILLED', remainingSize: '0' }))
    expect(seen).toMatchObject({
      status: 'filled',
      fills: [
        {
          key: `${orderId}:9000000`,
          fill: { orderId, fillAmount: '9000000', cumulativeFilled: '9000000' },
          filledAt: Date.parse('2026-10-01T10:00:00.000Z'),
        },
      ],
    })
  })

  it.each([[{ conditional: true }], [fill('some')], [fill(3)], [fill('1.5')]])(
    'a recorded fill %j is rejected without a request',
    async (stripped) => {
      const refused = look(shown({ remainingSize: '0' }), [fill('1000000'), stripped as JsonObject])
      await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(/twice/) })
      expect(world.seen).toEqual([])
    },
  )
})

it.each([
  ['FILLED', 'filled'],
  ['EXPIRED', 'expired'],
  ['USER_REQUESTED', 'canceled'],
  ['NO_LIQUIDITY', 'canceled'],
  ['HEARTBEAT_TIMEOUT', 'canceled'],
])('an order inactive because of %s is %s', async (inactiveReason, status) => {
  expect((await look(shown({ status: 'INACTIVE', inactiveReason }))).status).toBe(status)
})

it('reports a credential error, or a missing order, only for the venue’s own errors', async () => {
  const refusal = (statusCode: number, message: unknown): Reply => ({
    status: statusCode,
    body: { error: 'x', message, statusCode },
  })
  await expect(look(refusal(401, 'BAD_AUTH'))).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  await expect(look(refusal(403, ['INVALID_USER']))).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  expect(await look(refusal(404, 'Order not found'))).toMatchObject({ status: null, shown: false })
  const strange: Reply[] = [
    refusal(401, 'Unauthorized'),
    refusal(404, 'Cannot GET /orders-v3'),
    { status: 404, body: { message: 'Order not found' } },
    { status: 403, body: { error: 'x', message: 'BAD_AUTH', statusCode: 401 } },
    { body: { status: 'success', data: {} } },
  ]
  for (const reply of strange) await expect(look(reply)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  expect(await look(shown({ id: 'another' }))).toMatchObject({ status: null, fills: [] })
})

it.each([
  ['PONDERING', {}],
  ['BORED', { status: 'INACTIVE', inactiveReason: 'BORED' }],
])('in the unknown state %s keeps the status, reports the state, and reads the filled size', async (word, given) => {
  expect(await look(shown({ status: word, remainingSize: '0', ...given }))).toMatchObject({
    status: null,
    fills: [expect.anything()],
    observation: { reason: `the venue reports an unknown order state: ${word}` },
  })
})
