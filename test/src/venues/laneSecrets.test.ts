// Whatever a venue answers, no output of a lane with credentials contains the caller’s key: no artifact, outcome, observation or fault.
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Secret } from '#core/secret'
import { laneCases } from '#test/support/laneCases'
import { readBody } from '#test/support/laneLab'
import { buildOrder, createLaneWorld, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import { sampleSettings } from '#test/support/sampleSettings'
import { venueCases } from '#test/support/venueCases'
import { statusLanes } from '#venues/registry'

const canaries = Object.entries(laneCases).flatMap(([venue, { secrets, ...laneCase }]) =>
  secrets.map((made) => {
    const credentials = made()
    return [venue, Object.keys(credentials).join(' and '), { ...laneCase, credentials }] as const
  }),
)

/** Texts that must not appear anywhere: each secret, for a PEM each line. */
const needlesOf = (credentials: Record<string, string>): string[] =>
  Object.values(credentials).flatMap((secret) =>
    secret.split('\n').filter((line) => line.length >= 12 && !line.startsWith('-----')),
  )

function expectNone(secrets: Record<string, string>, output: unknown): void {
  const text = inspect(output, { depth: 12, showHidden: true, maxStringLength: null, breakLength: Infinity })
  for (const needle of needlesOf(secrets)) expect(text + JSON.stringify(output)).not.toContain(needle)
}

const stringsOf = (answer: object = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(answer).filter(([, value]) => typeof value === 'string'))

/** `more`: fields without which the lane would not read the order. */
function repliesOf(secrets: Record<string, string>, more: object): [string, Reply][] {
  const echo = JSON.stringify(Object.values(secrets))
  const joined = Object.values(secrets).join(' ')
  /** Orders as the four venues return them, with the echo in every free-text field. */
  const row = {
    id: 'oid-1',
    order_id: 'oid-1',
    orderId: 7,
    status: joined,
    state: joined,
    symbol: joined,
    side: joined,
    outcome: joined,
    ...more,
    marketSlug: joined,
    text: joined,
    price: '0.5',
    original_size: '1',
    size_matched: '1',
    initial_count_fp: '1.00',
    fill_count_fp: '1.00',
    remaining_count_fp: '0.00',
    [joined]: joined,
  }
  return [
    ['400', { status: 400, body: { result: 'error', reason: 'Bad', message: `you sent ${echo}` } }],
    ['400, {error}', { status: 400, body: { error: `you sent ${joined}` } }],
    ['400, {error: {code}}', { status: 400, body: { error: { code: joined, message: joined, details: echo } } }],
    ['401', { status: 401, body: { message: `unknown key ${echo}` } }],
    ['401, {error}', { status: 401, body: { error: `unknown key ${joined}` } }],
    ['404', { status: 404, body: { error: `nothing under ${echo}` } }],
    ['502', { status: 502, text: `<html>${echo}` }],
    ['200 of an unexpected format', { text: `{"echo":${echo}}` }],
    ['200', { body: { id: 'oid-1', orderId: 7, status: 'open', symbol: 's', side: 'buy', outcome: 'yes' } }],
    ['200 with the echo in an order', { body: row }],
    ['200 with the echo in {order}', { body: { order: row, id: joined } }],
    ['200 with the echo in a list', { body: [row] }],
    ['200 with the echo in lists', { body: { orders: [row], data: [row], fills: [row], cursor: '' } }],
    ['200 that refuses', { body: { success: false, errorMsg: joined, orderID: '' } }],
    ['a cut connection', 'cut'],
  ]
}

// The venues run concurrently, because most of the time is spent waiting for retries.
describe.concurrent.each(canaries)('%s, %s', (venue, _, { lane, made, before, signed, names, credentials: given }) => {
  const credentials = { ...names, ...given }
  const secrets: Record<string, string> = { ...given, ...stringsOf(before?.answer) }
  let world: LaneWorld
  beforeAll(async () => {
    world = await createLaneWorld(venue, Object.keys(lane.urls), sampleSettings(lane))
    world.outcomes.push(...made.rows)
  })
  afterAll(() => world.close())

  it.sequential.each(repliesOf(secrets, { ticker: made.order.outcome }))('after %s', async (_, reply) => {
    world.answer(made.reads ?? (() => reply))
    const execution = executionOf(await buildOrder(lane, world.context, made.order))
    const more = await signed(execution.unsigned, 'order')
    world.answer(({ path }) => (path === before?.path ? { body: before.answer } : reply))
    world.seen.length = 0
    const outputs: unknown[] = []
    const capture = async (act: () => Promise<unknown>) => outputs.push(await act().catch((error: unknown) => error))
    await capture(() => submit(lane, world.context, execution, { ...credentials, ...more }))
    const read = lane.refresh!.body.parse(readBody(lane, credentials)) as never
    await capture(() => lane.refresh!.read(world.context, { ...execution, venueRef: '7' }, read))
    await capture(() => lane.refresh!.read(world.context, { ...execution, venueRef: 'oid-1' }, read))
    await capture(() => lane.refresh!.read(world.context, execution, read))
    expect(outputs).toHaveLength(4)
    // Makes sure that the request was sent, as a rejection before sending would prove nothing.
    expect(world.seen.some(({ method, path }) => method === 'POST' && path !== before?.path)).toBe(true)
    expectNone(secrets, [outputs, read])
  })

  it.sequential('after a submit with malformed credentials', () => {
    for (const wrong of [
      { ...credentials, more: 1 },
      Object.fromEntries(Object.keys(credentials).map((k) => [k, 7])),
    ]) {
      const text = inspect(lane.submit!.body.safeParse(wrong), { depth: 12, showHidden: true, maxStringLength: null })
      for (const needle of needlesOf(secrets)) expect(text).not.toContain(needle)
    }
  })
})

const statusReads = statusLanes.flatMap((lane) =>
  venueCases[lane.slug].status.secrets.map((made) => ({ lane, credentials: made() })),
)

describe.concurrent.each(statusReads)('$lane.slug, refreshed', ({ lane, credentials }) => {
  it.each(repliesOf(credentials, {}))('after %s', async (_, reply) => {
    const world = await createLaneWorld(lane.slug, Object.keys(lane.urls))
    try {
      world.answer(() => reply)
      const built = { unsigned: {}, bounds: {}, terms: null, owner: null, clientRef: null, warnings: [] } as never
      const execution = executionOf(built, { status: 'acked', venueRef: 'oid-1' })
      const read = lane.refresh!.body.parse(credentials) as never
      const result = await lane.refresh!.read(world.context, execution, read).catch((error: unknown) => error)
      expect(world.seen.length).toBeGreaterThan(0)
      expectNone(credentials, [result, read])
    } finally {
      await world.close()
    }
  })
})

it('each venue without builds lists the credentials for refresh', () => {
  for (const { refresh, slug } of statusLanes) {
    const tried = statusReads
      .filter(({ lane }) => lane.slug === slug)
      .flatMap(({ credentials }) => Object.keys(credentials))
    expect(tried.sort()).toEqual([...refresh!.fields].sort())
  }
})

/** A signature or transaction is for one request and sent to the venue openly. */
const publicFields = ['signature', 'signedTransaction', 'transactionHash']
it.each(Object.entries(laneCases))(
  '%s: every submit and refresh field is either a secret tested here or no secret',
  (_, { lane, secrets, names }) => {
    const ways = secrets.map((made) => made())
    const fields = new Set([...(lane.submit?.fields ?? []), ...(lane.refresh?.fields ?? [])])
    for (const open of [...publicFields, ...Object.keys(names), 'signer']) fields.delete(open)
    expect([...fields].sort()).toEqual([...new Set(ways.flatMap(Object.keys))].sort())
    if (lane.refresh?.credentialFree === true) return
    for (const given of ways) {
      const parsed = lane.refresh!.body.parse({ ...given, ...names }) as Record<string, unknown>
      for (const name of Object.keys(given)) expect(parsed[name]).toBeInstanceOf(Secret)
    }
  },
)
