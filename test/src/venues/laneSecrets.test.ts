// Whatever a venue answers, nothing that leaves a credentialed lane shows the caller's key: no artifact, outcome, observation or fault.
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrder, createLaneWorld, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import { geminiLane } from '#venues/gemini/exec/index'
import { polymarketUsLane } from '#venues/polymarket_us/exec/index'
import * as gemini from './gemini/exec/world.ts'
import * as us from './polymarket_us/exec/world.ts'

const canaries = {
  polymarket_us: {
    lane: polymarketUsLane,
    body: us.buyShort,
    rows: us.market(),
    urls: ['API'],
    credentials: {
      keyId: 'canary-id-91d2',
      secretKey: Buffer.from('canary-seed-of-thirty-two-bytes!').toString('base64'),
    },
  },
  gemini: {
    lane: geminiLane,
    body: gemini.buy,
    rows: gemini.market(),
    urls: ['REST'],
    credentials: { apiKey: 'canary-key-91d2', apiSecret: 'canary-secret-91d2' },
  },
}

describe.each(Object.entries(canaries))('%s', (venue, { lane, body, rows, urls, credentials }) => {
  let world: LaneWorld
  beforeAll(async () => {
    world = await createLaneWorld(venue, urls)
    world.outcomes.push(...rows)
  })
  afterAll(() => world.close())

  const echo = JSON.stringify(Object.values(credentials))
  const replies: [string, Reply][] = [
    ['400', { status: 400, body: { result: 'error', reason: 'Bad', message: `you sent ${echo}` } }],
    ['401', { status: 401, body: { message: `unknown key ${echo}` } }],
    ['404', { status: 404, body: { error: `nothing under ${echo}` } }],
    ['502', { status: 502, text: `<html>${echo}` }],
    ['200 of no shape', { text: `{"echo":${echo}}` }],
    ['200', { body: { id: 'oid-1', orderId: 7, status: 'open', symbol: 's', side: 'buy', outcome: 'yes' } }],
    ['a cut connection', 'cut'],
  ]

  it.each(replies)('after %s', async (_, reply) => {
    world.answer(() => reply)
    const told: unknown[] = []
    const built = await buildOrder(lane, world.context, body)
    const tell = async (act: () => Promise<unknown>) => told.push(await act().catch((error: unknown) => error))
    await tell(() => submit(lane, world.context, executionOf(built), credentials))
    const read = lane.refresh!.body.parse(credentials) as never
    await tell(() => lane.refresh!.read(world.context, executionOf(built, { venueRef: '7' }), read))
    await tell(() => lane.refresh!.read(world.context, executionOf(built), read))
    expect(told).toHaveLength(3)
    const text = inspect([told, read], { depth: 12, showHidden: true }) + JSON.stringify([told, read])
    for (const secret of Object.values(credentials)) expect(text).not.toContain(secret)
  })
})
