// A thousand sockets that all read one market of every venue with a live feed: one subscription at each venue.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Lab, labVenueNames, startLab } from '#lab/lab'
import { ask, eventually, type Served, StreamClient } from '#test/support/cluster/client'
import { labSettings } from '#test/support/labSettings'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { cli, type Program, startProgram } from './program.ts'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
const sockets = 1_000
const manifests: Readonly<Record<string, VenueManifest>> = registry
const streaming = labVenueNames.filter((name) => manifests[name]?.data.stream !== undefined)

let lab: Lab
let dataDir: string
let program: Program
let served: Served
const clients: StreamClient[] = []

beforeAll(async () => {
  if (!isLong) return
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-crowd-'))
  lab = await startLab({ seed: 'crowd', ratePerSecond: 0.2, venues: streaming })
  program = await startProgram('src/main.ts', {
    DATA_DIR: dataDir,
    VENUES: streaming.join(','),
    ...labSettings(lab, streaming),
  })
  const { lines, error } = await cli(dataDir, 'keys', 'create', '--plan', 'enterprise')
  const apiKey = lines.find((line) => line.startsWith('key'))?.split(/\s+/)[1]
  expect(apiKey, error).toBeDefined()
  served = { ...program.served, apiKey: apiKey! }
}, 180_000)

afterAll(async () => {
  for (const client of clients) client.close()
  await program?.end('SIGTERM')
  await lab?.stop()
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true })
}, 60_000)

/** An open market of the venue, by an outcome that the stream accepts. */
async function outcomeOf(venue: string): Promise<string> {
  return eventually(async () => {
    const { body } = await ask(served, `/api/${venue}/fetchMarkets?limit=5&status=active`)
    const [market] = (body.data ?? []) as { outcomes: { outcomeId: string }[] }[]
    expect(market, venue).toBeDefined()
    return market!.outcomes[0]!.outcomeId
  }, 120_000)
}

it.runIf(isLong)(
  `${sockets} sockets on one market of each streaming venue are one subscription at each of them`,
  async () => {
    const markets = await Promise.all(streaming.map(async (venue) => [venue, await outcomeOf(venue)] as const))
    while (clients.length < sockets)
      clients.push(...(await Promise.all(Array.from({ length: 50 }, () => StreamClient.open(served)))))
    for (const client of clients) for (const [venue, outcome] of markets) client.subscribe(venue, outcome)
    const without = (): string[] =>
      clients.flatMap((client, i) =>
        markets
          .filter(([venue, outcome]) => client.book(venue, outcome) === null)
          .map(([venue, outcome]) => {
            const messages = client.of(venue, outcome).map(({ type, code, message }) => [type, code, message].join(' '))
            return `${i} ${venue} ${outcome} ${client.closed ? 'closed' : 'open'}: ${messages.join(', ')}`
          }),
      )
    await eventually(() => {
      const found = without()
      expect(found.slice(0, 5), `${found.length} books have not come`).toEqual([])
    }, 120_000)
    for (const venue of streaming) {
      const { subscriptions, connectionsOpened } = lab[venue].counters()
      expect([venue, new Set(Object.values(subscriptions))]).toEqual([venue, new Set([1])])
      expect(connectionsOpened, venue).toBeLessThan(10)
    }
  },
  300_000,
)
