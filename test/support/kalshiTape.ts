// Reads a recording of the Kalshi BTC 15-minute tape (one folder, parts gzipped or not) and reconstructs the frames that the recorder
// received.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface TapeEvent {
  kind: 'orderbook_snapshot' | 'orderbook_delta' | 'ticker'
  ticker: string
  /** Null for tickers. */
  seq: number | null
  recvNs: number
  payload: Record<string, unknown>
}

/** The recorder's own top five bids of both sides, in cents. */
export interface Checkpoint {
  ticker: string
  seq: number
  atMs: number
  yes: [cents: number, size: number][]
  no: [cents: number, size: number][]
}

export interface Recording {
  name: string
  /** In the order the recorder received them, of all markets together. */
  events: TapeEvent[]
  checkpoints: Checkpoint[]
}

const parts = /^(orderbook_snapshot|orderbook_delta|ticker|book_checkpoint)\..+\.ndjson(\.gz)?$/

/** The folder itself when it is a recording, otherwise its subfolders that are. */
export function recordingsIn(folder: string): string[] {
  const holds = (path: string) =>
    readdirSync(path).some((name) => name.startsWith('orderbook_delta.') && parts.test(name))
  if (holds(folder)) return [folder]
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isDirectory() && holds(path))
    .sort()
}

export function readRecording(folder: string): Recording {
  const events: TapeEvent[] = []
  const checkpoints: Checkpoint[] = []
  for (const name of readdirSync(folder).sort()) {
    const kind = parts.exec(name)?.[1]
    if (kind === undefined) continue
    for (const row of rows(join(folder, name))) {
      if (kind === 'book_checkpoint') checkpoints.push(checkpointOf(row))
      else
        events.push({
          kind: kind as TapeEvent['kind'],
          ticker: String(row.market_ticker),
          seq: typeof row.sequence_number === 'number' ? row.sequence_number : null,
          recvNs: Number(row.local_recv_ns),
          payload: row.payload_json as Record<string, unknown>,
        })
    }
  }
  // A snapshot and a delta with the same nanosecond stamp (doubles round it to some 256 ns) keep the order of their sequence.
  events.sort((a, b) => a.recvNs - b.recvNs || (a.seq ?? 0) - (b.seq ?? 0))
  return { name: basename(folder), events, checkpoints }
}

/** `wire`: fields in the order the venue sends them, as in verbatim captures. `recorded`: the payload as the recorder sorted it. */
export type FieldOrder = 'wire' | 'recorded'

export function frameOf(event: TapeEvent, sid: number, order: FieldOrder): Buffer {
  const { kind, seq, payload } = event
  const msg = order === 'recorded' || kind === 'ticker' ? payload : inWireOrder(payload, fieldOrder[kind])
  return Buffer.from(JSON.stringify(seq === null ? { type: kind, sid, msg } : { type: kind, sid, seq, msg }))
}

/** Orders seen in frames stored verbatim on 2026-07-01 and 2026-08-07. The recorder's own `price_cents` is left out. */
const fieldOrder = {
  orderbook_delta: ['market_ticker', 'market_id', 'price_dollars', 'delta_fp', 'side', 'ts', 'ts_ms'],
  orderbook_snapshot: ['market_ticker', 'market_id', 'yes_dollars_fp', 'no_dollars_fp'],
} as const

const inWireOrder = (payload: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => payload[name] !== undefined).map((name) => [name, payload[name]]))

function* rows(path: string): Generator<Record<string, unknown>> {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end).trim()
    if (line !== '') yield JSON.parse(line) as Record<string, unknown>
    from = end < 0 ? text.length : end + 1
  }
}

function checkpointOf(row: Record<string, unknown>): Checkpoint {
  const pair = (prices: unknown, sizes: unknown) =>
    (prices as number[]).map((price, i): [number, number] => [price, (sizes as number[])[i] as number])
  return {
    ticker: String(row.market_ticker),
    seq: Number(row.sequence_number),
    atMs: Date.parse(String(row.checkpoint_ts)),
    yes: pair(row.yes_bid_prices, row.yes_bid_sizes),
    no: pair(row.no_bid_prices, row.no_bid_sizes),
  }
}
