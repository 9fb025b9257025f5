// The expected result for a paired tape, computed from its lines alone: the cost of buying YES on one venue and NO on the other in every
// cycle.
// Shares nothing with the program: quotes in cents, whole-number arithmetic, the two fee schedules as the venues print them.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

interface Line {
  /** Of the cycle; all its lines share it. */
  ts: number
  t_fetch: number
  venue: 'kalshi' | 'polymarket'
  pair: string
  bid: number | null
  ask: number | null
  bid_sz: string | null
  ask_sz: string | null
}

export interface PairQuotes {
  /** Kalshi ticker. */
  ticker: string
  /** Polymarket token id. */
  token: string
  quotes: Partial<Record<Line['venue'], Line>>
}

export interface Cycle {
  /** When the last line of the cycle was read, epoch ms. */
  untilMs: number
  /** All pairs in their current state. */
  pairs: PairQuotes[]
}

/** One result per ordered pair. Dollars for the requested contracts; null when one of the legs lacks the size. */
export interface Answer {
  filledYes: number
  filledNo: number
  totalCost: number | null
  netEdge: number | null
}

export function readCycles(file: string): { startMs: number; cycles: Cycle[] } {
  const lines = gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .sort((a, b) => a.t_fetch - b.t_fetch)
  const pairs = new Map<string, PairQuotes>()
  const cycles: Cycle[] = []
  for (const [n, line] of lines.entries()) {
    const [ticker = '', token = ''] = line.pair.split(':')
    const pair = pairs.get(line.pair) ?? { ticker, token, quotes: {} }
    pair.quotes = { ...pair.quotes, [line.venue]: line }
    pairs.set(line.pair, pair)
    if (lines[n + 1]?.ts !== line.ts)
      cycles.push({ untilMs: line.t_fetch, pairs: [...pairs.values()].map((each) => ({ ...each })) })
  }
  return { startMs: lines[0]?.t_fetch ?? 0, cycles }
}

/** Tenths of a cent: what the tapes are written in. */
const tenths = (cents: number): bigint => BigInt(Math.round(cents * 10))
const hundredths = (size: string | null): bigint => BigInt(Math.round(Number(size ?? 0) * 100))

/** Micro-dollars. Price in tenths of a cent (thousandths of a dollar). */
function legCost(venue: Line['venue'], price: bigint, contracts: bigint): bigint {
  const cost = contracts * price * 1_000n
  const spread = price * (1_000n - price)
  // 0.07 × C × P × (1 − P), the total up to the next cent; 0.05 × C × P × (1 − P), cut after five decimals.
  const scaled = contracts * spread
  const fee = venue === 'kalshi' ? ((7n * scaled + 999_999n) / 1_000_000n) * 10_000n : ((5n * scaled) / 1_000n) * 10n
  return cost + fee
}

export function answerOf(pair: PairQuotes, buyYesOn: Line['venue'], contracts: number): Answer {
  const yes = pair.quotes[buyYesOn]
  const no = pair.quotes[buyYesOn === 'kalshi' ? 'polymarket' : 'kalshi']
  const wanted = BigInt(contracts) * 100n
  const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
  const filledYes = yes === undefined || yes.ask === null ? 0n : least(wanted, hundredths(yes.ask_sz))
  const filledNo = no === undefined || no.bid === null ? 0n : least(wanted, hundredths(no.bid_sz))
  const filled = { filledYes: Number(filledYes) / 100, filledNo: Number(filledNo) / 100 }
  if (filledYes < wanted || filledNo < wanted || yes?.ask == null || no?.bid == null)
    return { ...filled, totalCost: null, netEdge: null }
  const size = BigInt(contracts)
  const total = legCost(yes.venue, tenths(yes.ask), size) + legCost(no.venue, 1_000n - tenths(no.bid), size)
  return { ...filled, totalCost: Number(total) / 1e6, netEdge: Number(size * 1_000_000n - total) / 1e6 }
}
