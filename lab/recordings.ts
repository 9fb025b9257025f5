// Playback of real recordings on the clock. The meaning of their rows is defined in recordedTapes.ts.
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Clock, Timer } from '#core/clock'
import { ASK, BID } from './engine/book.ts'
import type { Engine } from './engine/engine.ts'
import { type RecordedMarket, type TapeEvent, type TapeKind, tapeKinds } from './recordedTapes.ts'

export interface Recording {
  name: string
  files: string[]
  kind: TapeKind
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
    here.push({ name: basename(folder), files: tapes.map((name) => join(folder, name)), kind: 'bookTape' })
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
  for (const { files, kind } of recordings) {
    for (const file of files.filter(
      (name) => kind === 'pairedTape' || basename(name).startsWith('orderbook_snapshot'),
    )) {
      let lines = 0
      for await (const row of rows(file)) {
        if (++lines > 200) break
        for (const market of tapeKinds[kind].markets(row)) found.set(`${market.venue}/${market.id}`, market)
      }
    }
  }
  return [...found.values()]
}

/** Plays one recording after the other, each from the end of the previous one, at its own speed. */
export function playRecordings(
  recordings: readonly Recording[],
  engines: readonly Engine[],
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

function applyEvent(event: TapeEvent, engines: readonly Engine[]): void {
  for (const engine of engines) {
    const market = engine.market(event.key)
    if (market === null) continue
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
      const event = tapeKinds[kind].event(row)
      if (event !== null) events.push(event)
    }
  }
  return events.sort((a, b) => a.atMs - b.atMs)
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
