// What a user of the pip client `pmxt` does, unmodified, against a running program.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Served } from '#test/support/cluster/client'
import type { Python } from '#test/support/python/venv'

type Address = Pick<Served, 'url' | 'apiKey'>

const script = fileURLToPath(new URL('./pmxtClient.py', import.meta.url))
export const pmxtRequirements = [
  'annotated-types==0.8.0',
  'pmxt==2.54.0',
  'pydantic==2.14.3',
  'pydantic-core==2.50.4',
  'python-dateutil==4.0.0',
  'typing-extensions==4.16.0',
  'typing-inspection==0.4.5',
  'tzdata==2026.6',
  'urllib3==2.8.0',
  // Its socket needs it although it does not declare it.
  'websocket-client==1.9.2',
]

interface ClientOutput {
  events: unknown[]
  candles: number
  yes: OutputBook
  no: OutputBook
  watched: OutputBook[]
  watchedMany: string[]
}
interface OutputBook {
  bid: number
  ask: number
  levels: number
}

/** The block that is printed for users who come from it. */
export async function runPmxtPage(python: Python, { url, apiKey }: Address): Promise<void> {
  const page = readFileSync(new URL('../../../docs/coming-from-pmxt.md', import.meta.url), 'utf8')
  const [, printed] = /```python\n(.*?)```/s.exec(page)!
  const env = { CROSSBOOK_URL: url, KEY: apiKey }
  const output = await python.run(['-c', printed!], { env, timeoutMs: 50_000 })
  expect(output).toMatch(/\S+ 0\.\d+ 0\.\d+$/m)
}

/** Reads, watches, and uses several venues. */
export async function tryPmxt(python: Python, { url, apiKey }: Address): Promise<void> {
  const env = { CROSSBOOK_URL: url, KEY: apiKey }
  const { router: across, ...venues } = JSON.parse(await python.run([script], { env, timeoutMs: 50_000 }))
  for (const [name, result] of Object.entries<ClientOutput>(venues)) {
    expect(result, name).toMatchObject({
      markets: 5,
      sameMarket: true,
      books: true,
      trades: 10,
      has: true,
      unknown: [expect.any(String), 'OUTCOME_NOT_FOUND'],
      unknownWatched: [expect.any(String), 'UNKNOWN_ERROR'],
    })
    expect(result.events).toHaveLength(3)
    expect(result.candles).toBeGreaterThan(0)
    expect(result.watchedMany.length).toBeGreaterThan(0)
    for (const book of [result.yes, result.no, ...result.watched]) expect(book.bid).toBeLessThan(book.ask)
    for (const { levels } of result.watched) expect(levels).toBeLessThanOrEqual(2)
  }
  expect(across.matches).toContainEqual(['identity', true])
  expect(across.hedges).toEqual(['subset', 'superset'])
  expect(across.prices[0][1]).toBeLessThan(across.prices[0][2])
  expect(across.events[0]).toBeGreaterThan(1)
  expect(across.merged).toBeGreaterThan(0)
  expect(across.arbitrage.length).toBeGreaterThan(0)
  for (const { titles, venues: traded, of, spread, prices } of across.arbitrage) {
    expect(of).toEqual(traded)
    expect(titles.every((title: string) => title.length > 0)).toBe(true)
    expect(spread).toBeCloseTo(prices[1] - prices[0], 9)
  }
}
