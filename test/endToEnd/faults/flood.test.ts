// One market with 50,000 messages a second. Its readers get the newest book, not a queue; other markets continue; memory does not grow. The
// venues run in a process of their own, so that producing and consuming the flood do not share a thread.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { Lab } from '#lab/lab'
import { createKey } from '#platform/auth/keys'
import { type Crossbook, startCrossbook } from '#roles/crossbook'
import { RawSocket } from '#test/src/server/gateway/support'
import { eventually, levelsOf, type StreamFrame, type WireBook } from '#test/support/cluster/client'
import { labEnvironment } from '#test/support/cluster/labEnvironment'
import { isLong } from '#test/support/engine'
import { prefillPostgres } from '#test/support/postgres'
import { expectUncrossed } from './drivenMarket.ts'

const ratePerSecond = 50_000
const durationMs = isLong ? 60_000 : 4_000
const readersOfFlood = isLong ? 100 : 20
/** Of the whole process: the program and its readers. */
const grownMax = 300 * 1024 * 1024

interface LabFacts extends Pick<Lab, 'control'> {
  polymarket: Pick<Lab['polymarket'], 'urls'>
  kalshi: Pick<Lab['kalshi'], 'urls' | 'credentials'>
}

let venues: ChildProcess
let lab: LabFacts
let crossbook: Crossbook
let dataDir: string
let apiKey: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-flood-'))
  await prefillPostgres(dataDir)
  const program = fileURLToPath(new URL('../../../lab/main.ts', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', program, '--seed', 'flood', '--rate', '4']
  venues = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: venues.stdout! })) {
    lab = JSON.parse(line.replace('crossbook-lab ready ', '')) as LabFacts
    break
  }
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    CROSSBOOK_PINNED_MARKETS: '0',
    ...labEnvironment(lab as unknown as Lab),
  })
  crossbook = await startCrossbook(config, { clock: systemClock, log: silentLog })
  apiKey = (await createKey(crossbook.pool!, { account: 'flood', plan: 'enterprise', scopes: ['read'] })).apiKey
}, 90_000)
afterAll(async () => {
  await crossbook?.stop()
  venues?.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

async function json<T>(url: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(url, { ...init, headers: { 'content-type': 'application/json', ...init.headers } })
  expect(response.status, url).toBe(200)
  return (await response.json()) as T
}

/** Two markets of the venue, as Crossbook lists them. */
const markets = (venue: string): Promise<string[]> =>
  eventually(async () => {
    const { data } = await json<{ data: { outcomes: { outcomeId: string }[] }[] }>(
      `${crossbook.url}/api/${venue}/fetchMarkets?limit=2&sort=volume`,
      { headers: { authorization: `Bearer ${apiKey}` } },
    )
    expect(data).toHaveLength(2)
    return data.map(({ outcomes }) => outcomes[0]!.outcomeId)
  })

const messagesOf = async (venue: string): Promise<number> =>
  (await json<{ venues: Record<string, { messages: number }> }>(`${lab.control.url}/lab/state`)).venues[venue]!.messages

type Sides = Pick<WireBook, 'bids' | 'asks'>
type Pair = [price: string, size: string]

/** The venue's own answer over REST. */
async function truth(venue: string, market: string): Promise<string> {
  if (venue === 'kalshi') {
    const url = `${lab.kalshi.urls.REST}/markets/${market}/orderbook`
    const { orderbook_fp: book } = await json<{ orderbook_fp: { yes_dollars?: Pair[]; no_dollars?: Pair[] } }>(url)
    const bids = (book.yes_dollars ?? []).map(([price, size]) => ({ price: Number(price), size: Number(size) }))
    const asks = (book.no_dollars ?? []).map(([price, size]) => ({ price: 1 - Number(price), size: Number(size) }))
    return bestFirst({ bids, asks })
  }
  const book = await json<Record<'bids' | 'asks', Record<'price' | 'size', string>[]>>(
    `${lab.polymarket.urls.CLOB}/book?token_id=${market}`,
  )
  const read = (side: 'bids' | 'asks') =>
    book[side].map(({ price, size }) => ({ price: Number(price), size: Number(size) }))
  return bestFirst({ bids: read('bids'), asks: read('asks') })
}

const bestFirst = ({ bids, asks }: Sides): string =>
  levelsOf({ bids: bids.sort((a, b) => b.price - a.price), asks: asks.sort((a, b) => a.price - b.price) })

/** Keeps only the newest frame: older ones would count as memory of this test, not of the program. */
class Reader {
  readonly market: string
  readonly socket: RawSocket
  seen = 0
  private latest: StreamFrame | null = null

  private constructor(market: string) {
    this.market = market
    this.socket = new RawSocket(Number(new URL(crossbook.url!).port), [`Authorization: Bearer ${apiKey}`])
  }

  static async open(venue: string, market: string): Promise<Reader> {
    const reader = new Reader(market)
    await reader.socket.upgraded()
    reader.socket.send({ op: 'subscribe', channel: 'orderbook', venue, marketId: market })
    await eventually(() => expect(reader.look()?.data).toBeDefined())
    return reader
  }

  look(): StreamFrame | null {
    for (const text of this.socket.frames.splice(0)) {
      const frame = JSON.parse(text) as StreamFrame
      expectUncrossed([frame], 'flood')
      this.seen++
      this.latest = frame
    }
    return this.latest
  }
}

it.each(['kalshi', 'polymarket'])(
  `%s: after ${durationMs / 1000} s of flood every reader has the venue’s last book`,
  async (venue) => {
    const [market, other] = (await markets(venue)) as [string, string]
    const readers: Reader[] = []
    try {
      const neighbour = await Reader.open(venue, other)
      readers.push(neighbour)
      for (let n = 0; n < readersOfFlood; n++) readers.push(await Reader.open(venue, market))
      const before = await messagesOf(venue)
      const rssBefore = process.memoryUsage().rss
      let rssPeak = rssBefore
      let ended = false
      await json(`${lab.control.url}/lab/faults`, {
        method: 'POST',
        body: JSON.stringify({ venue, kind: 'burst', market, ratePerSecond, durationMs }),
      })
      const end = setTimeout(() => {
        ended = true
      }, durationMs)
      while (!ended) {
        // Without the flood the neighbour moves four times a second; its updates continue to arrive.
        const { seen } = neighbour
        await eventually(() => {
          for (const reader of readers) reader.look()
          rssPeak = Math.max(rssPeak, process.memoryUsage().rss)
          expect(neighbour.seen).toBeGreaterThan(seen)
        })
      }
      clearTimeout(end)
      // On a slow machine, a twentieth of the messages is still a useful test.
      expect((await messagesOf(venue)) - before, 'messages made').toBeGreaterThan((ratePerSecond * durationMs) / 20_000)
      // The market still moves a little: at some moment both agree.
      for (const reader of readers) {
        await eventually(async () => {
          const now = await truth(venue, reader.market)
          expect(levelsOf(reader.look()!.data as WireBook)).toBe(now)
        })
        expect(reader.socket.closed).toBe(false)
      }
      expect(rssPeak - rssBefore, 'RSS grown').toBeLessThan(grownMax)
    } finally {
      for (const { socket } of readers) socket.tcp.destroy()
    }
  },
  durationMs + 60_000,
)
