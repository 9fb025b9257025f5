// Traces on real sockets: an API request, the venue requests it causes, and a collector that receives both.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { createHttpSender, type OwnedHttpSender } from '#net/httpSender'
import { defaultPlans } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { startTracing, type Tracing } from '#roles/tracing'
import { type Gateway, listen } from '#server/gateway/gateway'
import { defineRoute } from '#server/http/defineRoute'
import { createHttpHandler } from '#server/http/pipeline'
import { getHealth } from '#server/http/routes/getHealth'
import { freePort } from '#test/support/freePort'
import { startTraceCollector, type TraceCollector } from '#test/support/traceCollector'

const clock = systemClock
let collector: TraceCollector
let venue: Server
let venueUrl: string
let traceparents: (string | undefined)[]
let http: OwnedHttpClient
let sender: OwnedHttpSender
let gateway: Gateway
let tracing: Tracing

const askVenue = defineRoute({
  operationId: 'askVenue',
  method: 'get',
  path: '/v1/ask',
  access: 'public',
  summary: 'asks a venue twice, and sends it an order',
  query: z.strictObject({ path: z.string() }),
  data: z.null(),
  async handle({ query }) {
    // The requests are concurrent; both belong to the API request that made them.
    await Promise.all([
      http.request({ url: `${venueUrl}/a?wallet=0xdead` }),
      http.request({ url: venueUrl + query.path }),
    ])
    const { signal } = new AbortController()
    await sender.send({ method: 'POST', url: `${venueUrl}/order`, text: '{}', headers: {}, timeoutMs: 5_000, signal })
    return { data: null }
  },
})

async function serve(environment: Record<string, string> = {}): Promise<void> {
  const { tracing: settings } = readConfig({
    CROSSBOOK_TRACES_URL: collector.url,
    CROSSBOOK_TRACES_RATIO: '1',
    ...environment,
  })
  tracing = startTracing({ settings: settings!, version: '1.2.3', instance: 'gw-1', log: silentLog })
  const handler = createHttpHandler([askVenue, getHealth], {
    verifier: { verify: () => ({ kind: 'invalid' }) },
    plans: defaultPlans,
    rateLimiter: createRateLimiter(clock),
    families: {},
    answers: { observe: (operation) => tracing.named(operation) },
    clock,
    log: silentLog,
  })
  const listener = await listen({ host: '127.0.0.1', port: 0, clock, log: silentLog })
  gateway = listener.serve({ http: tracing.handler(handler), stream: null })
}

beforeEach(async () => {
  collector = await startTraceCollector()
  traceparents = []
  venue = createServer((request, response) => {
    traceparents.push(request.headers.traceparent as string | undefined)
    response.writeHead(request.url === '/gone' ? 404 : 200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => venue.listen(0, '127.0.0.1', resolve))
  venueUrl = `http://127.0.0.1:${(venue.address() as AddressInfo).port}`
  http = createHttpClient({ venue: 'kalshi', requestsPerSecond: 100 })
  sender = createHttpSender()
})
afterEach(async () => {
  await gateway.stop()
  await tracing.stop()
  await http.close()
  await sender.close()
  venue.closeAllConnections()
  await new Promise((resolve) => venue.close(resolve))
  await collector.stop()
})

const traceId = '0af7651916cd43dd8448eb211c80319c'

it('connects the caller’s span, the operation and every venue request in one trace', async () => {
  await serve()
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const answer = await fetch(`${gateway.url}/v1/ask?path=/gone`, { headers: { traceparent } })
  expect(answer.status).toBe(200)
  await tracing.stop()
  const { spans } = collector
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  const root = spans.find(({ kind }) => kind === 2)!
  expect(root).toMatchObject({ name: 'askVenue', parentSpanId: 'b7ad6b7169203331' })
  expect(root.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'crossbook.request_id': answer.headers.get('x-request-id'),
  })
  const clientSpans = spans.filter(({ kind }) => kind === 3)
  const host = new URL(venueUrl).host
  expect(clientSpans.map(({ name, parentSpanId }) => [name, parentSpanId]).sort()).toEqual([
    ['GET kalshi', root.spanId],
    ['GET kalshi', root.spanId],
    [`POST ${host}`, root.spanId],
  ])
  expect(clientSpans.map(({ attributes }) => attributes['http.response.status_code']).sort()).toEqual([200, 200, 404])
  for (const { attributes } of clientSpans) expect(attributes['server.address']).toBe(host)
  expect(collector.resources[0]).toMatchObject({
    'service.name': 'crossbook',
    'service.version': '1.2.3',
    'service.instance.id': 'gw-1',
  })
})

it('sends no trace headers to venues, and no paths or queries to the collector', async () => {
  await serve({ CROSSBOOK_TRACES_HEADERS: 'x-team=a,authorization=Basic=' })
  await fetch(`${gateway.url}/v1/ask?path=/private-key`)
  await tracing.stop()
  expect(traceparents).toEqual([undefined, undefined, undefined])
  expect(collector.spans).toHaveLength(4)
  expect(JSON.stringify(collector.spans)).not.toMatch(/wallet|0xdead|private-key/)
  expect(collector.headers[0]).toMatchObject({ 'x-team': 'a', authorization: 'Basic=' })
})

it('marks failures, and gives two concurrent requests two traces', async () => {
  await serve()
  const dead = await Promise.all([
    fetch(`${gateway.url}/v1/ask?path=/x`),
    fetch(`${gateway.url}/v1/ask?path=${encodeURIComponent(`@127.0.0.1:${await freePort()}/`)}`),
  ])
  expect(dead.map(({ status }) => status).sort()).toEqual([200, 503])
  await tracing.stop()
  expect(new Set(collector.spans.map((span) => span.traceId)).size).toBe(2)
  const failed = collector.spans.filter(({ status }) => status.code === 2)
  expect(failed.map(({ name, status }) => [name, status.message])).toContainEqual(['GET kalshi', 'NETWORK_ERROR'])
  expect(failed.map(({ name }) => name)).toContain('askVenue')
})

it('continues the caller’s trace id without being forced to sample, and does not trace probes or background requests', async () => {
  await serve({ CROSSBOOK_TRACES_RATIO: '0' })
  await fetch(`${gateway.url}/v1/ask?path=/a`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
  await gateway.stop()
  await tracing.stop()
  await serve()
  await fetch(`${gateway.url}/health`)
  await http.request({ url: `${venueUrl}/by-itself` })
  await tracing.stop()
  expect(collector.spans).toEqual([])
})

it('answers requests while the collector is down, and sends spans again when it is back', async () => {
  await serve()
  collector.isDown = true
  expect((await fetch(`${gateway.url}/v1/ask?path=/a`)).status).toBe(200)
  await vi.waitFor(() => expect(collector.headers).not.toEqual([]), { timeout: 25_000 })
  collector.isDown = false
  expect((await fetch(`${gateway.url}/v1/ask?path=/a`)).status).toBe(200)
  await tracing.stop()
  expect(collector.spans).toHaveLength(4)
})

it('is off without a collector, and rejects invalid settings', () => {
  expect(readConfig({}).tracing).toBeUndefined()
  expect(readConfig({ CROSSBOOK_TRACES_URL: 'http://c:4318/v1/traces' }).tracing).toMatchObject({
    ratio: 0.1,
    headers: {},
  })
  const wrong = { CROSSBOOK_TRACES_URL: 'c:4318', CROSSBOOK_TRACES_RATIO: '2', CROSSBOOK_TRACES_HEADERS: 'x' }
  for (const name of Object.keys(wrong)) expect(() => readConfig(wrong), name).toThrow(`${name}:`)
})
