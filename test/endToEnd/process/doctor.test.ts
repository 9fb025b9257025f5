// `crossbook doctor` as an operator runs it, with and without problems. A cluster is checked in cluster.test.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { version } from '#core/version'
import { freePort } from '#test/support/freePort'
import { withPostgres } from '#test/support/postgres'
import { npx, type Printed, runCli } from './program.ts'

const postgres = withPostgres()
let dataDir: string
let venues: Server
let clickhouse: Server
/** Everything that a start needs; venues and the tape are at addresses of this test. */
let validConfiguration: Record<string, string>

async function serve(answer: Parameters<typeof createServer>[1] & object): Promise<Server> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-doctor-'))
  venues = await serve((_, response) => response.end('{}'))
  // A server whose version is a year old, as far as it is queried.
  clickhouse = await serve((request, response) => response.end(request.url === '/ping' ? 'Ok.\n' : '25.8.1.1\n'))
  validConfiguration = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    DATABASE_URL: postgres.url,
    VENUES: 'polymarket,kalshi,gemini',
    CROSSBOOK_POLYMARKET_CLOB_URL: urlOf(venues),
    CROSSBOOK_KALSHI_REST_URL: urlOf(venues),
    CROSSBOOK_GEMINI_REST_URL: urlOf(venues),
  }
})
afterAll(async () => {
  venues?.close()
  clickhouse?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const found = ({ lines }: Printed): Record<string, [state: string, message: string]> =>
  Object.fromEntries(
    lines.map((line) => {
      const { check, state, message } = JSON.parse(line) as Record<'check' | 'state' | 'message', string>
      return [check, [state, message]]
    }),
  )

it('finds no problem in a valid configuration, and its exit code is 0', async () => {
  const { code, lines, error } = await npx(['crossbook', 'doctor'], validConfiguration)
  expect(code, `${lines.join('\n')}\n${error}`).toBe(0)
  const checks = lines.map((line) => line.split(/\s+/).slice(0, 2))
  expect(checks.map(([, check]) => check)).toEqual([
    'node',
    'configuration',
    'data',
    'port',
    'program',
    'postgres',
    'engine',
    'bus',
    'clock',
    'polymarket',
    'kalshi',
    'gemini',
  ])
  // Free disk space depends on this machine.
  for (const [state, check] of checks) expect(state, check).toMatch(check === 'data' ? /^(ok|warn)$/ : /^ok$/)
}, 60_000)

it('names every problem, and its exit code is 1', async () => {
  const broken = {
    ...validConfiguration,
    DATABASE_URL: postgres.url.replace(/[^/]*$/, 'nowhere'),
    CLICKHOUSE_URL: urlOf(clickhouse),
    CROSSBOOK_KALSHI_REST_URL: `http://127.0.0.1:${await freePort()}`,
    PORT: String((venues.address() as AddressInfo).port),
  }
  const printed = await runCli(['doctor', '--json'], broken)
  expect(printed.code).toBe(1)
  expect(found(printed)).toMatchObject({
    configuration: ['ok', expect.any(String)],
    port: ['fail', expect.stringContaining('another program')],
    postgres: ['fail', expect.stringContaining('"nowhere" does not exist')],
    engine: ['warn', expect.stringMatching(/is ClickHouse 25\.8.*needs 26\.3/)],
    clock: ['warn', expect.any(String)],
    polymarket: ['ok', expect.any(String)],
    kalshi: ['warn', expect.stringContaining('ECONNREFUSED')],
  })
  const wrong = await runCli(['--json', 'doctor', '--offline'], {
    ...validConfiguration,
    PORT: 'many',
    CROSSBOOK_ARBITRAGE: 'maybe',
    CROSSBOOK_KALSHI_REST_URL: 'nowhere',
  })
  expect(wrong.code).toBe(1)
  const findings = wrong.lines.map((line) => JSON.parse(line) as Record<'check' | 'state' | 'message', string>)
  const configurationFindings = findings.filter(({ check }) => check === 'configuration')
  expect(configurationFindings.map(({ message }) => message.split(':')[0]).toSorted()).toEqual([
    'CROSSBOOK_ARBITRAGE',
    'CROSSBOOK_KALSHI_REST_URL',
    'PORT',
  ])
  expect(configurationFindings.every(({ state }) => state === 'fail')).toBe(true)
  // Everything else is still checked, except for an unknown port and what may run there.
  expect(findings.map(({ check }) => check).filter((check) => check !== 'configuration')).toEqual([
    'node',
    'data',
    'postgres',
    'engine',
    'bus',
  ])
}, 60_000)

it('crossbook --version prints the version and nothing else', async () => {
  expect(await npx(['crossbook', '--version'], {})).toMatchObject({ code: 0, lines: [version], error: '' })
}, 60_000)
