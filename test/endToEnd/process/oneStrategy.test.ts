// One strategy file, unchanged: live against the lab, on a paper account, and as a backtest on the tape of the same minutes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Market } from '#schemas/market'
import { type PrintedDemo, root, startPrintedDemo } from '../printedDemo.ts'

const strategy = join(root, 'sdk/typescript/examples/market-maker.ts')
/** Its quotes lie beyond the middle, so that they take offers and fill. */
const crossing = { size: '2', halfSpread: '-0.03', maxPosition: '20' }
const patient = { timeout: 60_000, interval: 250 }
const startedAt = new Date()

let demo: PrintedDemo
let liveKey: string
let paperKey: string
let marketId: string
let credentials: string

beforeAll(async () => {
  demo = await startPrintedDemo('--venues', 'kalshi')
  liveKey = (JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8')) as { apiKey: string }).apiKey
  const created = await demo.shell(
    'npx crossbook keys create --paper --account demo --plan pro --scopes read,trade --json',
  )
  paperKey = (JSON.parse(created) as { apiKey: string }).apiKey
  const wallet = `0x${'1'.padStart(64, '0')}`
  const login = await demo.shell(`WALLET_KEY=${wallet} npx node docs/examples/login.mjs kalshi`)
  credentials = join(demo.dataDir, 'venue-keys.json')
  writeFileSync(credentials, `{"kalshi":${/^export KEYS='(.*)'$/m.exec(login)![1]!}}`)
  marketId = await vi.waitFor(findMarket, patient)
}, 180_000)
afterAll(() => demo.stop(), 60_000)

async function read<T>(path: string, key = liveKey): Promise<T> {
  const answer = await fetch(`${demo.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await answer.json()) as { data: T }
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return data
}

/** With both sides, and room on either. */
async function findMarket(): Promise<string> {
  for (const market of await read<Market[]>('/api/kalshi/fetchMarkets?limit=50')) {
    const [yes, no] = market.outcomes
    if (market.status !== 'active' || yes === undefined || no === undefined || market.outcomes.length !== 2) continue
    const path = `/api/kalshi/fetchOrderBook?outcomeId=${encodeURIComponent(yes.outcomeId)}`
    const { bids, asks } = await read<{ bids: { price: number }[]; asks: { price: number }[] }>(path)
    if (bids[0] !== undefined && asks[0] !== undefined && bids[0].price > 0.2 && asks[0].price < 0.8)
      return market.marketId
  }
  throw new Error('no market has both sides')
}

interface Ran {
  code: number
  out: string
  error: string
}

/** `until`: the program is interrupted when it resolves. */
async function crossbook(
  command: string,
  options: Record<string, string>,
  until?: () => Promise<unknown>,
): Promise<Ran> {
  const given = { strategy, markets: `kalshi:${marketId}`, url: demo.url, ...options }
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])
  const params = Object.entries(crossing).flatMap(([name, value]) => ['--param', `${name}=${value}`])
  const child = spawn(process.execPath, [join(root, 'src/cli.mjs'), command, ...args, ...params], {
    cwd: demo.dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ran: Ran = { code: 0, out: '', error: '' }
  child.stdout.on('data', (part: Buffer) => {
    ran.out += part.toString()
  })
  child.stderr.on('data', (part: Buffer) => {
    ran.error += part.toString()
  })
  const ended = once(child, 'close') as Promise<[number]>
  try {
    if (until !== undefined) await Promise.race([until(), ended])
  } finally {
    if (until !== undefined) child.kill('SIGINT')
  }
  ;[ran.code] = await ended
  return ran
}

/** Resolves when the strategy has orders, and holds something. */
const hasTraded = (key: string) => () =>
  vi.waitFor(async () => {
    const positions = await read<{ marketId: string; quantity: string }[]>('/v1/portfolio/positions', key)
    expect(positions.filter((position) => position.marketId === marketId)).not.toEqual([])
  }, patient)

/** Requests of the lab's routes for orders and accounts. */
async function requestsOfOrders(): Promise<number> {
  const { labControl } = JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8')) as { labControl: string }
  const { venues } = (await (await fetch(`${labControl}/lab/state`)).json()) as {
    venues: Record<string, { counters: { httpRequests: Record<string, number> } }>
  }
  return Object.entries(venues.kalshi!.counters.httpRequests)
    .filter(([route]) => route.includes('portfolio'))
    .reduce((sum, [, requests]) => sum + requests, 0)
}

describe('one strategy file', { timeout: 180_000 }, () => {
  it('trades live: its orders reach the venue, and its portfolio has their fills', async () => {
    const before = await requestsOfOrders()
    const ran = await crossbook('run', { key: liveKey, credentials }, hasTraded(liveKey))
    expect(ran, ran.error).toMatchObject({ code: 0 })
    expect(await requestsOfOrders()).toBeGreaterThan(before)
  })

  it('trades on paper: no order reaches the venue', async () => {
    const before = await requestsOfOrders()
    const ran = await crossbook('run', { key: paperKey, credentials }, hasTraded(paperKey))
    expect(ran, ran.error).toMatchObject({ code: 0 })
    expect(await requestsOfOrders()).toBe(before)
  })

  it('runs as a backtest on the tape of these minutes', async () => {
    const out = join(demo.dataDir, 'report')
    const range = { from: startedAt.toISOString(), to: new Date().toISOString() }
    const summary = await vi.waitFor(async () => {
      const ran = await crossbook('backtest', { key: liveKey, out, seed: '1', ...range })
      expect(ran, ran.error).toMatchObject({ code: 0 })
      return JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as { summary: { fills: number } }
    }, patient)
    expect(summary.summary.fills).toBeGreaterThan(0)
  })
})
