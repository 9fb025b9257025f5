// A venue whose responses change their format: differences are counted, listed in its status, and cost no market.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, eventually } from '#test/support/cluster/client'
import { withEngine } from '#test/support/engine'

type Row = Record<string, unknown>

/** A proxy in front of the simulated Gamma API that changes every event. */
let gamma = ''
let server: Server
const address = new Promise<string>((resolve) => {
  server = createServer(async (incoming, outgoing) => {
    const answer = await fetch(gamma + incoming.url)
    const body = (await answer.json()) as { events?: Row[] }
    for (const event of body.events ?? []) change(event)
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
})
const proxy = await address
afterAll(() => void server.close())

function change(event: Row): void {
  event.novelty = 1
  delete event.description
  event.tags = null
  for (const market of event.markets as Row[]) market.liquidityNum = String(market.liquidityNum)
}

const engine = withEngine({
  env(lab) {
    gamma = lab.polymarket.urls.GAMMA
    return { CROSSBOOK_POLYMARKET_GAMMA_URL: proxy }
  },
})

interface Listed {
  venue: string
  drift: { field: string; kind: string; count: number; firstAt: string; lastAt: string }[]
}

let venues: Listed[]
beforeAll(async () => {
  venues = await eventually(async () => {
    const { body } = await ask(engine.served, '/v1/status')
    const listed = (body.data as { venues: Listed[] }).venues
    expect(listed.find(({ venue }) => venue === 'polymarket')?.drift.length).toBeGreaterThanOrEqual(5)
    return listed
  })
}, 60_000)

it('is listed in the status of its venue by field and kind, with first and last time; the other venue has none', () => {
  const [polymarket, kalshi] = ['polymarket', 'kalshi'].map((slug) => venues.find(({ venue }) => venue === slug)!)
  expect(polymarket!.drift.map(({ kind, field }) => `${kind} ${field}`).sort()).toEqual([
    'missing events.description',
    'mistyped events.markets.liquidityNum',
    'mistyped events.tags',
    'unknown events.novelty',
    'unreadable liquidityNum',
  ])
  for (const { count, firstAt, lastAt } of polymarket!.drift) {
    expect(count).toBeGreaterThan(0)
    expect(Date.parse(firstAt)).toBeLessThanOrEqual(Date.parse(lastAt))
  }
  expect(kalshi!.drift).toEqual([])
})

it('is among the metrics, and costs no market', async () => {
  const text = await eventually(async () => {
    const metrics = await ask(engine.served, '/metrics')
    expect(metrics.text).toContain('crossbook_catalog_walks_total{venue="polymarket",outcome="ok"}')
    return metrics.text
  })
  expect(text).toMatch(/crossbook_venue_drift_total\{venue="polymarket",field="events.novelty",kind="unknown"\} [1-9]/)
  expect(text).not.toContain('crossbook_venue_rows_unreadable_total{venue="polymarket"}')
  const { body } = await ask(engine.served, '/api/polymarket/fetchMarkets?limit=200')
  expect((body.data as unknown[]).length).toBeGreaterThan(100)
})
