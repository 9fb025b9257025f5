// The meaning of recorded rows: Kalshi's WebSocket tapes, and tapes of Kalshi's and Polymarket's best prices side by side.
import { ASK, BID, type Side } from './engine/book.ts'

/** A market that exists because a recording names it. */
export interface RecordedMarket {
  venue: string
  /** Ticker or token id. */
  id: string
  /** Engine id. */
  key: string
  title: string
}

export interface TapeEvent {
  atMs: number
  key: string
  /** Levels replace the whole book; a delta adds hundredths to one level. */
  levels: [side: Side, priceMicros: number, hundredths: number][]
  kind: 'snapshot' | 'delta'
}

type Row = Record<string, unknown>

interface Tape {
  markets(row: Row): RecordedMarket[]
  /** Null for a row that does not concern a book. */
  event(row: Row): TapeEvent | null
}

const market = (venue: string, id: string, title: string): RecordedMarket => ({ venue, id, key: `tape/${id}`, title })

/** `KXBTC…:7132…`: Kalshi's ticker, Polymarket's token. */
const pairOf = (row: Row) => String(row.pair).split(':') as [ticker: string, token: string]

const bookTape: Tape = {
  markets: (row) => [market('kalshi', String(row.market_ticker), `Recorded: ${row.market_ticker}`)],
  event: bookEvent,
}

const pairedTape: Tape = {
  markets(row) {
    const [ticker, token] = pairOf(row)
    return [market('kalshi', ticker, `Recorded: ${ticker}`), market('polymarket', token, `Recorded: ${ticker}`)]
  },
  event: pairedEvent,
}

export const tapeKinds = { bookTape, pairedTape }
export type TapeKind = keyof typeof tapeKinds

function bookEvent(row: Row): TapeEvent | null {
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
function pairedEvent(row: Row): TapeEvent | null {
  const [ticker, token] = pairOf(row)
  const levels: TapeEvent['levels'] = []
  const level = (side: Side, cents: unknown, size: unknown) => {
    if (typeof cents === 'number')
      levels.push([side, Math.round(cents * 10) * 1000, Math.round(Number(size ?? 0) * 100)])
  }
  level(BID, row.bid, row.bid_sz)
  level(ASK, row.ask, row.ask_sz)
  return { atMs: Number(row.t_fetch), key: `tape/${row.venue === 'kalshi' ? ticker : token}`, kind: 'snapshot', levels }
}
