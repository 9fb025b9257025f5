// Owns the playing of real recordings on the clock: kalshi WebSocket tapes, and tapes of both venues' best prices.
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Clock, Timer } from '#lib/clock'
import { ASK, BID, type Side } from './engine/book.ts'
import type { Engine } from './engine/engine.ts'

/** A market that exists because a recording names it. */
export interface RecordedMarket {
  venue: 'kalshi' | 'polymarket'
  /** Ticker or token id. */
  id: string
  /** Engine id. */
  key: string
  title: string
}

interface TapeEvent {
  atMs: number
  key: string
  /** Levels replace the whole book; a delta adds hundredths to one level. */
  levels: [side: Side, priceMicros: number, hundredths: number][]
  kind: 'snapshot' | 'delta'
}

export interface Recording {
  name: string
  files: string[]
  kind: 'kalshiTape' | 'pairedTape'
}

const PLAY_EVERY_MS = 20
const tapeFile = /^orderbook_(snapshot|delta)\b.*\.ndjson(\.gz)?$/
const pairedFile = /\.jsonl(\.gz)?$/

/** Every recording in a folder and its direct subfolders, by name. Empty when there is none. */
export function findRecordings(folder: string): Recording[] {
  if (!existsSync(folder)) throw new Error(`no recordings at ${folder}`)
  const names = readdirSync(folder).sort()
  const here: Recording[] = []
  const tapes = names.filter((name) => tapeFile.test(name))
  if (tapes.length > 0)
    here.push({ name: basename(folder), files: tapes.map((name) => join(folder, name)), kind: 'kalshiTape' })
  for (const name of names) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) here.push(...findRecordings(path))
    else if (pairedFile.test(name) && basename(dirname(path)) === 'paired_tapes') {
      here.push({ name, files: [path], kind: 'pairedTape' })
    }
  }
  return here
}

/** Which markets the recordings are about; reads snapshots and the first lines only. */
export async function recordedMarkets(recordings: readonly Recording[]): Promise<RecordedMarket[]> {
  const found = new Map<string, RecordedMarket>()
  const add = (venue: RecordedMarket['venue'], id: string, title: string) => {
    found.set(`${venue}/${id}`, { venue, id, key: `tape/${id}`, title })
  }
  for (const { files, kind } of recordings) {
    for (const file of files.filter(
      (name) => kind === 'pairedTape' || basename(name).startsWith('orderbook_snapshot'),
    )) {
      let lines = 0
      for await (const row of rows(file)) {
        if (++lines > 200) break
        if (kind === 'kalshiTape') add('kalshi', String(row.market_ticker), `Recorded: ${row.market_ticker}`)
        else {
          const [ticker, token] = String(row.pair).split(':')
          add('kalshi', ticker!, `Recorded: ${ticker}`)
          add('polymarket', token!, `Recorded: ${ticker}`)
        }
      }
    }
  }
  return [...found.values()]
}

/** Plays one recording after the other, each from the moment the one before ended, at its own speed. */
export function playRecordings(
  recordings: readonly Recording[],
  engines: { kalshi: Engine | null; polymarket: Engine | null },
  clock: Clock,
  onError: (error: unknown) => void,
): { stop(): void; played(): number } {
  let timer: Timer | null = null
  let stopped = false
  let played = 0
  const playNext = async (n: number): Promise<void> => {
    const recording = recordings[n]
    if (recording === undefined || stopped) return
    const events = await loadEvents(recording)
    const first = events[0]
    if (first === undefined || stopped) return playNext(n + 1)
    const startedMs = clock.now()
    let next = 0
    timer = clock.every(PLAY_EVERY_MS, () => {
      const elapsedMs = clock.now() - startedMs
      while (next < events.length && events[next]!.atMs - first.atMs <= elapsedMs) {
        applyEvent(events[next++]!, engines)
        played++
      }
      if (next < events.length) return
      timer?.cancel()
      playNext(n + 1).catch(onError)
    })
  }
  playNext(0).catch(onError)
  return {
    stop() {
      stopped = true
      timer?.cancel()
    },
    played: () => played,
  }
}

function applyEvent(event: TapeEvent, engines: { kalshi: Engine | null; polymarket: Engine | null }): void {
  for (const engine of [engines.kalshi, engines.polymarket]) {
    const market = engine?.market(event.key)
    if (engine === null || market === null || market === undefined) continue
    if (event.kind === 'snapshot') {
      const wanted = new Set(event.levels.map(([side, price]) => `${side}/${price}`))
      for (const side of [BID, ASK] as const) {
        for (const [price] of market.book.levels(side)) {
          if (!wanted.has(`${side}/${price}`)) engine.setLevel(event.key, side, price, 0)
        }
      }
    }
    for (const [side, price, hundredths] of event.levels) {
      const index = market.book.grid.indexOf(price)
      const before = event.kind === 'delta' && index >= 0 ? market.book.at(side, index) : 0
      engine.setLevel(event.key, side, price, Math.max(0, before + hundredths) / 100)
    }
  }
}

async function loadEvents({ files, kind }: Recording): Promise<TapeEvent[]> {
  const events: TapeEvent[] = []
  for (const file of files) {
    for await (const row of rows(file)) {
      const event = kind === 'kalshiTape' ? kalshiEvent(row) : pairedEvent(row)
      if (event !== null) events.push(event)
    }
  }
  return events.sort((a, b) => a.atMs - b.atMs)
}

function kalshiEvent(row: Record<string, unknown>): TapeEvent | null {
  const payload = row.payload_json as Record<string, unknown> | undefined
  if (payload === undefined) return null
  const atMs = Number(row.local_recv_ns) / 1e6
  const key = `tape/${row.market_ticker}`
  const yes = (text: unknown) => Math.round(Number(text) * 1e6)
  const count = (text: unknown) => Math.round(Number(text) * 100)
  if (row.event_type === 'orderbook_delta') {
    const side = payload.side === 'yes' ? BID : ASK
    const price = yes(payload.price_dollars)
    return {
      atMs,
      key,
      kind: 'delta',
      levels: [[side, side === BID ? price : 1_000_000 - price, count(payload.delta_fp)]],
    }
  }
  const bids = (payload.yes_dollars_fp ?? []) as [string, string][]
  const noBids = (payload.no_dollars_fp ?? []) as [string, string][]
  return {
    atMs,
    key,
    kind: 'snapshot',
    levels: [
      ...bids.map(([price, size]): [Side, number, number] => [BID, yes(price), count(size)]),
      ...noBids.map(([price, size]): [Side, number, number] => [ASK, 1_000_000 - yes(price), count(size)]),
    ],
  }
}

/** Best bid and ask in cents; an absent side is null. */
function pairedEvent(row: Record<string, unknown>): TapeEvent | null {
  const [ticker, token] = String(row.pair).split(':')
  const levels: TapeEvent['levels'] = []
  const level = (side: Side, cents: unknown, size: unknown) => {
    if (typeof cents === 'number')
      levels.push([side, Math.round(cents * 10) * 1000, Math.round(Number(size ?? 0) * 100)])
  }
  level(BID, row.bid, row.bid_sz)
  level(ASK, row.ask, row.ask_sz)
  return { atMs: Number(row.t_fetch), key: `tape/${row.venue === 'kalshi' ? ticker : token}`, kind: 'snapshot', levels }
}

async function* rows(file: string): AsyncGenerator<Record<string, unknown>> {
  const raw = createReadStream(file)
  const input = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line !== '') yield JSON.parse(line) as Record<string, unknown>
    }
  } finally {
    raw.destroy()
  }
}
