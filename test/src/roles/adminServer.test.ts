// The operations port of any role, on a real socket.
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { serveOperations } from '#roles/adminServer'
import { createMetrics } from '#roles/metrics'
import { type Gateway, listen } from '#server/gateway/gateway'

const clock = systemClock
let gateway: Gateway | null = null
afterEach(async () => {
  await gateway?.stop()
  gateway = null
})

async function watched(parts: Record<string, boolean>, { ready = true }: { ready?: boolean } = {}) {
  const metrics = createMetrics()
  metrics.counter('things_done', 'Things', ['kind'], () => [{ labels: { kind: 'a' }, value: 3 }])
  metrics.counter('things_unknown', 'Without a known value', [], () => [])
  metrics.durations('relay', 'Relays', ['venue', 'outcome']).observe('lab', 'accepted', 3)
  metrics.durations('relay', 'Relays', ['venue', 'outcome']).observe('lab', 'accepted', 4)
  const listener = await listen({ host: '127.0.0.1', port: 0, clock, log: silentLog })
  const starting = await fetch(`${listener.url}/ready`)
  expect(starting.status).toBe(503)
  const system = { readiness: () => ({ ready, parts }), metrics: () => metrics.text() }
  gateway = serveOperations({ listener, system, clock, log: silentLog })
  const { url } = gateway
  return (path: string, init?: RequestInit) => fetch(`${url}${path}`, init)
}

it('serves health, readiness and metrics, and nothing else', async () => {
  const get = await watched({ postgres: true })
  expect(await (await get('/health')).json()).toMatchObject({ success: true, data: { status: 'ok' } })
  expect(await (await get('/ready')).json()).toMatchObject({
    data: { ready: true, parts: { postgres: true }, degraded: [] },
  })
  const figures = await get('/metrics')
  expect(figures.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await figures.text()
  expect(text).toContain('# TYPE crossbook_things_done_total counter\n')
  expect(text).toContain('crossbook_things_done_total{kind="a"} 3\n')
  expect(text).not.toMatch(/^crossbook_things_unknown_total /m)
  expect(text).toContain('crossbook_relay_seconds_count{venue="lab",outcome="accepted"} 2\n')
  expect(text).toMatch(/^crossbook_nodejs_eventloop_lag_seconds /m)
  for (const path of ['/', '/openapi.json', '/v1/status', '/v1/stream', '/api/lab/fetchMarkets'])
    expect((await get(path)).status, path).toBe(404)
  expect((await get('/metrics', { method: 'POST' })).status).toBe(405)
})

it('ends the names of counters, and only those, in _total', async () => {
  const get = await watched({})
  const types = [...(await (await get('/metrics')).text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  expect(types.length).toBeGreaterThan(20)
  for (const [, name, type] of types) expect([name, type === 'counter']).toEqual([name, name!.endsWith('_total')])
})

it('stays ready and names a missing dependency that it can serve without', async () => {
  const get = await watched({ postgres: true, kafka: false })
  const answer = await get('/ready')
  expect(answer.status).toBe(200)
  const parts = { postgres: true, kafka: false }
  expect(await answer.json()).toEqual({ success: true, data: { ready: true, parts, degraded: ['kafka'] } })
})

it('is not ready while a required dependency is missing, and names it', async () => {
  const get = await watched({ postgres: true, kafka: false }, { ready: false })
  const answer = await get('/ready')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(await answer.json()).toMatchObject({ error: { code: 'PLATFORM_UNAVAILABLE', message: 'not serving: kafka' } })
})
