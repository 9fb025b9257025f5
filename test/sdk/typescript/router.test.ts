// A group of the router is submitted, followed and closed; a leg that is not sent ends, and none is sent twice.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createClient } from '#sdk/typescript/src/client'
import { CrossbookError } from '#sdk/typescript/src/errors'
import { type ExecuteOptions, executeGroup, type RouterGroup } from '#sdk/typescript/src/router'
import { type HostileHttp, hostileHttp, json, type Responder, refusal } from './hostile.ts'

let server: HostileHttp
beforeAll(async () => {
  server = await hostileHttp()
})
afterAll(() => server.stop())

const groupId = '00000000-0000-4000-8000-000000000001'

interface Leg {
  venue: string
  status: string
}

let legs: Leg[]
let group: Record<string, unknown>
/** By venue. */
let submits: Record<string, Responder>
let discards: Responder
/** Reads of the group until it has ended. */
let endsAfter: number

const groupOf = (status: string) =>
  ({
    ...{ groupId, kind: 'arbitrage', closesGroupId: null, exposure: null, remaining: null, ...group },
    status,
    legs: legs.map(({ venue, status: legStatus }, position) => ({
      ...{ position, venue, error: null },
      execution: { executionId: `e${position}`, venue, status: legStatus, unsigned: {} },
    })),
  }) as unknown as RouterGroup

beforeEach(() => {
  legs = ['kalshi', 'novig'].map((venue) => ({ venue, status: 'built' }))
  group = {}
  submits = {}
  discards = json(200, { success: true, data: {} })
  endsAfter = 0
  const done = json(200, { success: true, data: {} })
  server.answer((request, response) => {
    const { method, url } = request
    const venue = url.pathname.split('/')[3]!
    if (url.pathname.endsWith('/submit')) return (submits[venue] ?? done)(request, response)
    if (url.pathname.endsWith('/refresh')) return done(request, response)
    if (url.pathname.endsWith('/close'))
      return json(200, { success: true, data: { status: 'planned' } })(request, response)
    if (method === 'DELETE') return discards(request, response)
    const status = endsAfter-- > 0 ? 'working' : 'unequal'
    json(200, { success: true, data: groupOf(status) })(request, response)
  })
})

const slept: number[] = []
const run = (more: Partial<ExecuteOptions> = {}) => {
  slept.length = 0
  const client = createClient({ baseUrl: server.url, apiKey: 'k', retry: { retries: 0 } })
  return executeGroup(client, groupOf('built'), {
    authorize: ({ venue }) => ({ signature: `of ${venue}` }),
    pollMs: 70,
    clock: {
      async sleep(ms) {
        slept.push(ms)
      },
    },
    ...more,
  })
}
const sent = () => server.requests.map(({ method, url }) => `${method} ${url.pathname}`)
const bodiesOf = (end: string) =>
  server.requests.filter(({ url }) => url.pathname.endsWith(end)).map(({ body }) => JSON.parse(body) as unknown)

it('submits every leg with its authorization, and reads the group until it has ended', async () => {
  endsAfter = 2
  const { group: ended, refused, closing } = await run()
  expect(bodiesOf('/submit')).toEqual(expect.arrayContaining([{ signature: 'of kalshi' }, { signature: 'of novig' }]))
  expect([ended.status, refused, closing, slept]).toEqual(['unequal', [], null, [70, 70]])
})

it('refreshes the legs in flight with the given fields', async () => {
  legs = [
    { venue: 'kalshi', status: 'acked' },
    { venue: 'novig', status: 'filled' },
  ]
  endsAfter = 1
  await run({ refresh: ({ venue }) => ({ key: venue }) })
  expect(sent().filter((request) => request.startsWith('POST'))).toEqual(['POST /v1/exec/kalshi/orders/e0/refresh'])
  expect(bodiesOf('/refresh')).toEqual([{ key: 'kalshi' }])
})

it('offers what closes the rest, as a dry run without artifacts', async () => {
  group = { exposure: [{ position: 0, contracts: '5' }] }
  const { closing, closingError } = await run({ close: { mode: 'unwind' } })
  expect([closing, closingError]).toEqual([{ status: 'planned' }, null])
  expect(bodiesOf('/close')).toEqual([{ mode: 'unwind', artifacts: false }])
})

it('discards a leg of which the submit is refused, and reports it', async () => {
  submits.novig = refusal(403, 'PERMISSION_DENIED', false)
  const { refused } = await run()
  expect(refused).toMatchObject([{ position: 1, error: { code: 'PERMISSION_DENIED' } }])
  expect(sent()).toContain('DELETE /v1/exec/novig/orders/e1')
})

it('does not report a leg that was sent after all', async () => {
  submits.novig = (_, response) => void response.destroy()
  discards = refusal(409, 'EXECUTION_TERMINAL', false)
  expect((await run()).refused).toEqual([])
})

it('throws if it is not known whether a leg was sent', async () => {
  submits.novig = refusal(503, 'EXEC_UNAVAILABLE', true)
  discards = refusal(503, 'EXEC_UNAVAILABLE', true)
  await expect(run()).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
  expect(sent()).toContain('POST /v1/exec/kalshi/orders/e0/submit')
})

it('submits nothing if a leg is not built, or cannot be authorized', async () => {
  const refuse = () => Promise.reject(new Error('no key for this venue'))
  await expect(run({ authorize: refuse })).rejects.toThrow('no key for this venue')
  const unbuilt = groupOf('building')
  unbuilt.legs[1]!.execution = null
  const client = createClient({ baseUrl: server.url, apiKey: 'k' })
  await expect(executeGroup(client, unbuilt, { authorize: () => ({}) })).rejects.toBeInstanceOf(CrossbookError)
  await expect(executeGroup(client, { ...unbuilt, groupId: null }, { authorize: () => ({}) })).rejects.toThrow(
    'persist',
  )
  expect(sent()).toEqual([])
})

it('ends with the reason of its signal', async () => {
  endsAfter = Number.POSITIVE_INFINITY
  const aborting = new AbortController()
  const reason = new Error('enough')
  const clock = { sleep: async () => aborting.abort(reason) }
  await expect(run({ signal: aborting.signal, clock })).rejects.toBe(reason)
})
