import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#config'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { openBudgets, openPartBudgets } from '#roles/budgets'
import { openFunding } from '#roles/funding'
import { openLanes } from '#roles/lanes'
import { openVenues } from '#roles/venues'
import type { VenueManifest } from '#venues/venue'

const requested: string[] = []
const server = createServer(({ url = '' }, response) => {
  requested.push(url)
  response.writeHead(429, { 'retry-after': '60' }).end()
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

it('shares a 429 of a catalog walk with the lanes of the gateway and the jobs and with funding, but still sends orders', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = readConfig({ VENUES: 'hyperliquid', CROSSBOOK_HYPERLIQUID_REST_URL: url })
  const budgets = openBudgets()
  const shared = { clock: systemClock, log: silentLog, budgets }
  const catalog = { findOutcomes: async () => [], findMarket: async () => null }
  const venues = openVenues(config, shared)
  const lanes = [openLanes(config, catalog, shared), openLanes(config, catalog, shared)]
  const funding = openFunding(config, budgets)
  const { signal } = new AbortController()
  const limited = { code: 'NETWORK_ERROR', exchange: 'hyperliquid', retryAfterSeconds: 60 }

  const [{ context, manifest }] = venues.list as [(typeof venues.list)[number]]
  await expect(manifest.data.fetchOrderBook(context, '#10')).rejects.toMatchObject(limited)
  const contexts = lanes.map(({ armed }) => armed.get('hyperliquid')!.context(signal, 'account'))
  for (const { http } of contexts) await expect(http.request({ url: `${url}/info` })).rejects.toMatchObject(limited)
  await expect(funding.spotBalance(`0x${'1'.repeat(40)}`, signal)).rejects.toMatchObject(limited)
  expect(requested).toHaveLength(1)

  const order = { method: 'POST', url: `${url}/exchange`, text: '{}', headers: {}, timeoutMs: 5_000, signal } as const
  for (const { sender } of contexts) expect(await sender.send(order)).toMatchObject({ kind: 'answered', status: 429 })
  expect(requested).toEqual(['/info', '/exchange', '/exchange'])
  await Promise.all([venues.close(), funding.close(), ...lanes.map((each) => each.close())])
})

it('the parts of a venue together use as many requests per second as one process', async () => {
  const parts = 4
  const clock = new ManualClock()
  const config = readConfig({ CROSSBOOK_KALSHI_BUDGET_PERCENT: '50' })
  const manifest = { slug: 'kalshi', budget: { perSecond: 40, burst: 8 }, data: {} } as unknown as VenueManifest
  let granted = 0
  for (let part = 0; part < parts; part++) {
    const host = openPartBudgets(manifest, config, parts, clock).of('http://venue.invalid/')
    for (let i = 0; i < 100; i++) void host.take().then(() => granted++)
  }
  for (let ms = 0; ms < 10_000; ms += 100) {
    clock.advance(100)
    await new Promise(setImmediate)
  }
  // 20 a second for ten seconds, plus the bursts.
  expect(granted).toBeGreaterThan(190)
  expect(granted).toBeLessThanOrEqual(200 + parts)
})
