// Whatever a venue answers, nothing that leaves a credentialed lane shows the caller's key: no artifact, outcome, observation or fault.
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Secret } from '#lib/secret'
import { laneCases } from '#test/support/laneCases'
import { readBody } from '#test/support/laneLab'
import { buildOrder, createLaneWorld, executionOf, type LaneWorld, type Reply, submit } from '#test/support/laneWorld'
import { sampleSettings } from '#test/support/sampleSettings'

const canaries = Object.entries(laneCases).flatMap(([venue, { secrets, ...told }]) =>
  secrets === null ? [] : [[venue, { ...told, credentials: secrets() }] as const],
)

/** What may nowhere be found: each secret, of a PEM each line. */
const needlesOf = (credentials: Record<string, string>): string[] =>
  Object.values(credentials).flatMap((secret) =>
    secret.split('\n').filter((line) => line.length >= 12 && !line.startsWith('-----')),
  )

const stringsOf = (answer: object = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(answer).filter(([, value]) => typeof value === 'string'))

// The venues beside each other: most of it is waiting for what is tried again.
describe.concurrent.each(canaries)('%s', (venue, { lane, made, before, signed, names, credentials: given }) => {
  const credentials = { ...names, ...given }
  const secrets: Record<string, string> = { ...given, ...stringsOf(before?.answer) }
  let world: LaneWorld
  beforeAll(async () => {
    world = await createLaneWorld(venue, Object.keys(lane.urls), sampleSettings(lane))
    world.outcomes.push(...made.rows)
  })
  afterAll(() => world.close())

  const echo = JSON.stringify(Object.values(secrets))
  const joined = Object.values(secrets).join(' ')
  /** Orders as the four venues show them, with the echo wherever a venue may write what it likes. */
  const row = {
    id: 'oid-1',
    order_id: 'oid-1',
    orderId: 7,
    status: joined,
    state: joined,
    symbol: joined,
    side: joined,
    outcome: joined,
    ticker: made.order.outcome,
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
  const replies: [string, Reply][] = [
    ['400', { status: 400, body: { result: 'error', reason: 'Bad', message: `you sent ${echo}` } }],
    ['400, {error}', { status: 400, body: { error: `you sent ${joined}` } }],
    ['400, {error: {code}}', { status: 400, body: { error: { code: joined, message: joined, details: echo } } }],
    ['401', { status: 401, body: { message: `unknown key ${echo}` } }],
    ['401, {error}', { status: 401, body: { error: `unknown key ${joined}` } }],
    ['404', { status: 404, body: { error: `nothing under ${echo}` } }],
    ['502', { status: 502, text: `<html>${echo}` }],
    ['200 of no shape', { text: `{"echo":${echo}}` }],
    ['200', { body: { id: 'oid-1', orderId: 7, status: 'open', symbol: 's', side: 'buy', outcome: 'yes' } }],
    ['200 with the echo in an order', { body: row }],
    ['200 with the echo in {order}', { body: { order: row, id: joined } }],
    ['200 with the echo in a list', { body: [row] }],
    ['200 with the echo in lists', { body: { orders: [row], data: [row], fills: [row], cursor: '' } }],
    ['200 that refuses', { body: { success: false, errorMsg: joined, orderID: '' } }],
    ['a cut connection', 'cut'],
  ]

  it.sequential.each(replies)('after %s', async (_, reply) => {
    world.answer(made.reads ?? (() => reply))
    const execution = executionOf(await buildOrder(lane, world.context, made.order))
    const more = await signed(execution.unsigned, 'order')
    world.answer(({ path }) => (path === before?.path ? { body: before.answer } : reply))
    const told: unknown[] = []
    const tell = async (act: () => Promise<unknown>) => told.push(await act().catch((error: unknown) => error))
    await tell(() => submit(lane, world.context, execution, { ...credentials, ...more }))
    const read = lane.refresh!.body.parse(readBody(lane, credentials)) as never
    await tell(() => lane.refresh!.read(world.context, { ...execution, venueRef: '7' }, read))
    await tell(() => lane.refresh!.read(world.context, { ...execution, venueRef: 'oid-1' }, read))
    await tell(() => lane.refresh!.read(world.context, execution, read))
    expect(told).toHaveLength(4)
    const text = inspect([told, read], { depth: 12, showHidden: true, maxStringLength: null, breakLength: Infinity })
    for (const needle of needlesOf(secrets)) expect(text + JSON.stringify([told, read])).not.toContain(needle)
  })

  it.sequential('after a submit without the credentials’ shape', () => {
    for (const wrong of [
      { ...credentials, more: 1 },
      Object.fromEntries(Object.keys(credentials).map((k) => [k, 7])),
    ]) {
      const text = inspect(lane.submit!.body.safeParse(wrong), { depth: 12, showHidden: true, maxStringLength: null })
      for (const needle of needlesOf(secrets)) expect(text).not.toContain(needle)
    }
  })
})

/** A signature or transaction is made for one request and goes to the venue in the open. */
const inTheOpen = ['signature', 'signedTransaction', 'transactionHash']
/** Given in place of the secrets that are tried. */
const insteadOfThem = ['session']

it.each(Object.entries(laneCases))(
  '%s: all that submit and refresh are given is a secret that is tried here, or is none',
  (_, { lane, secrets, names }) => {
    const given = secrets?.() ?? {}
    const fields = new Set([...(lane.submit?.fields ?? []), ...(lane.refresh?.fields ?? [])])
    for (const open of [...inTheOpen, ...insteadOfThem, ...Object.keys(names), 'signer']) fields.delete(open)
    expect([...fields].sort()).toEqual(Object.keys(given).sort())
    if (fields.size === 0 || lane.refresh?.credentialFree === true) return
    const told = lane.refresh!.body.parse({ ...given, ...names }) as Record<string, unknown>
    for (const name of fields) expect(told[name]).toBeInstanceOf(Secret)
  },
)
