// `node src/main.ts` where no venue answers: it serves all the same, reports what is missing and why, and connects to the venues once they
// are available.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lab, startLab } from '#lab/lab'
import { ask, eventually, type Served, StreamClient } from '#test/support/cluster/client'
import { labEnvironment } from '#test/support/cluster/labEnvironment'
import { labVenues, openMarkets, truthOf, whilePaused } from '#test/support/cluster/labTruth'
import { freePort } from '#test/support/freePort'
import { prefillPostgres } from '#test/support/postgres'
import { cli, type Program, startProgram } from './program.ts'

let lab: Lab
let dataDir: string
let program: Program
let served: Served
const venuePorts: VenuePort[] = []

/** A port that is closed until it is opened, with a venue behind it. */
interface VenuePort {
  port: number
  open(): Promise<void>
  close(): Promise<void>
}

async function createClosedPort(target: number): Promise<VenuePort> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  const server = createServer((inside) => {
    const outside = connect({ port: target, host: '127.0.0.1' })
    for (const [socket, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  return {
    port,
    async open() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-unreachable-'))
  await prefillPostgres(dataDir)
  lab = await startLab({ seed: 'unreachable', ratePerSecond: 4 })
  const env = labEnvironment(lab)
  for (const { urls } of [lab.polymarket, lab.kalshi]) {
    const real = new URL(Object.values(urls)[0]!).port
    const venuePort = await createClosedPort(Number(real))
    venuePorts.push(venuePort)
    for (const [name, value] of Object.entries(env))
      env[name] = value.replace(`127.0.0.1:${real}`, `127.0.0.1:${venuePort.port}`)
  }
  program = await startProgram('src/main.ts', { DATA_DIR: dataDir, CROSSBOOK_PINNED_MARKETS: '5', ...env })
  const { lines, error } = await cli(dataDir, 'keys', 'create', '--plan', 'enterprise')
  const apiKey = lines.find((line) => line.startsWith('key'))?.split(/\s+/)[1]
  expect(apiKey, error).toBeDefined()
  served = { ...program.served, apiKey: apiKey! }
}, 120_000)

afterAll(async () => {
  await program?.end('SIGTERM')
  for (const venuePort of venuePorts) await venuePort.close()
  await lab?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

interface VenueStatus {
  venue: string
  connection: string
  reason: string | null
}

async function venues(): Promise<VenueStatus[]> {
  const { status, body } = await ask(served, '/v1/status')
  expect(status).toBe(200)
  return (body.data as { venues: VenueStatus[] }).venues
}

describe('while no venue can be reached', () => {
  it('the program is ready, and each venue is named unreachable with the reason', async () => {
    expect((await fetch(`${served.url}/ready`)).status).toBe(200)
    expect((await fetch(`${served.url}/health`)).status).toBe(200)
    await eventually(async () => {
      const statuses = await venues()
      expect(statuses.map(({ venue }) => venue).sort()).toEqual([...labVenues].sort())
      for (const { venue, connection, reason } of statuses) {
        expect([venue, connection]).toEqual([venue, 'unreachable'])
        expect(reason).toMatch(/.+/)
      }
    })
  })

  it.each(labVenues)(
    '%s: reads that need the venue say so, those of the catalog are empty or unknown',
    async (venue) => {
      const market = openMarkets(lab, venue)[0]!
      const book = await ask(served, `/api/${venue}/fetchOrderBook?outcomeId=${market}`)
      expect([book.status, book.body.error?.code]).toEqual([503, 'NETWORK_ERROR'])
      expect(book.body.error).toMatchObject({ retryable: true, exchange: venue, requestId: expect.any(String) })
      const nonsense = await ask(served, `/api/${venue}/fetchOrderBook?outcomeId=${encodeURIComponent('no id at all')}`)
      expect([nonsense.status, nonsense.body.error?.code]).toEqual([404, 'OUTCOME_NOT_FOUND'])
      const list = await ask(served, `/api/${venue}/fetchMarkets`)
      expect([list.status, list.body.data]).toEqual([200, []])
      const trades = await ask(served, `/api/${venue}/fetchTrades?outcomeId=${market}`)
      expect([404, 503]).toContain(trades.status)
      expect(['OUTCOME_NOT_FOUND', 'NETWORK_ERROR']).toContain(trades.body.error?.code)
    },
  )

  it('the stream reports that the market cannot be looked up now, and stays open', async () => {
    const client = await StreamClient.open(served)
    try {
      const market = openMarkets(lab, 'kalshi')[0]!
      client.subscribe('kalshi', market)
      const refusal = await client.frame(({ type }) => type === 'error')
      expect(refusal).toMatchObject({ code: 'CATALOG_UNAVAILABLE', venue: 'kalshi', marketId: market })
      expect(client.closed).toBe(false)
    } finally {
      client.close()
    }
  })
})

describe('when the venues come up', () => {
  it('their books become live without a restart, including books without readers', async () => {
    for (const venuePort of venuePorts) await venuePort.open()
    await eventually(async () => {
      expect((await venues()).map(({ connection }) => connection)).toEqual(['connected', 'connected'])
    }, 60_000)
    for (const venue of labVenues) {
      const market = openMarkets(lab, venue)[3]!
      const client = await StreamClient.open(served)
      try {
        client.subscribe(venue, market)
        await client.frame(({ type }) => type === 'update')
        await whilePaused(lab, () => client.converges(venue, market, () => truthOf(lab, venue, market)))
        await eventually(async () => {
          const { body } = await ask(served, `/api/${venue}/fetchOrderBook?outcomeId=${market}`)
          expect(body.provenance).toEqual({ source: 'service-live' })
        })
      } finally {
        client.close()
      }
    }
    for (const { reason } of await venues()) expect(reason).toBeNull()
  }, 120_000)
})
