// The venue's leaderboard: one response of tens of megabytes with every account that trades there. It is read row by row, the best of each ranking
// are cached for a while, and concurrent callers share a read.
import { Fault } from '#core/fault'
import type { HttpClient } from '#net/http'
import type { LeaderboardWindow, NativeLeader } from '#schemas/traders'
import { numberOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { longList } from '../../shared/data/streamingJsonArray.ts'
import { evmWallet, named } from '../../shared/data/wallets.ts'
import type { NativeRanking } from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { HyperLeader } from '../wire.ts'

export const leadersTimeoutMs = 25_000
/** The venue itself recomputes it now and then. */
const freshMs = 10 * 60_000
/** How long the previous read replaces a failed one. */
const staleMs = 60 * 60_000
const kept = 100

const windows = { day: 'day', week: 'week', month: 'month', allTime: 'all' } as const
const isWindow = (name: string): name is keyof typeof windows => Object.hasOwn(windows, name)

interface Row {
  wallet: string
  displayName: { displayName?: string }
  profitUsd: number | null
  volumeUsd: number | null
}
type Boards = Map<string, Row[]>
interface Held {
  boards: Boards
  /** On the monotonic clock, and on the wall clock. */
  readAt: number
  asOf: number
}

/** Keyed by client: one per deployment. */
const caches = new WeakMap<HttpClient, { held: Held | null; reading: Promise<Held> | null }>()

export async function fetchLeaders(
  context: VenueContext,
  { by, window, limit }: { by: NativeRanking; window: LeaderboardWindow; limit: number },
): Promise<{ rows: NativeLeader[]; asOf: number }> {
  const { boards, asOf } = await boardsOf(context)
  const rows = (boards.get(`${by}/${window}`) ?? []).slice(0, limit).map((row, index) => ({
    venue: 'hyperliquid',
    wallet: row.wallet,
    ...row.displayName,
    rank: index + 1,
    window,
    profitUsd: row.profitUsd,
    volumeUsd: row.volumeUsd,
  }))
  return { rows, asOf }
}

async function boardsOf(context: VenueContext): Promise<Held> {
  const { http, clock } = context
  const cache = caches.get(http) ?? { held: null, reading: null }
  caches.set(http, cache)
  const ageMs = cache.held === null ? Number.POSITIVE_INFINITY : clock.monotonic() - cache.held.readAt
  if (ageMs < freshMs) return cache.held!
  cache.reading ??= readBoards(context).finally(() => {
    cache.reading = null
  })
  try {
    cache.held = await cache.reading
    return cache.held
  } catch (error) {
    if (ageMs >= staleMs) throw error
    context.log.warn({ err: error }, 'could not read the leaderboard; using an older one')
    return cache.held!
  }
}

async function readBoards({ venue, http, urls, clock, signal }: VenueContext): Promise<Held> {
  const boards: Boards = new Map()
  const list = longList('leaderboardRows', (row) => {
    const leader = HyperLeader.safeParse(row).data
    if (leader !== undefined) place(boards, leader)
  })
  const path = '/Mainnet/leaderboard'
  try {
    const { status } = await http.request({
      url: `${urls.STATS}${path}`,
      timeoutMs: leadersTimeoutMs,
      signal,
      take: (piece) => list.push(piece),
    })
    if (status < 200 || status > 299) throw unreadable({ venue }, path, `status ${status}`)
    list.end()
  } catch (error) {
    throw error instanceof Fault ? error : unreadable({ venue }, path, String(error))
  }
  if (boards.size === 0) throw unreadable({ venue }, path, 'every row')
  return { boards, readAt: clock.monotonic(), asOf: clock.now() }
}

/** Inserts it into the rankings it qualifies for. */
function place(boards: Boards, { ethAddress, displayName, windowPerformances }: HyperLeader): void {
  const wallet = evmWallet(ethAddress)
  if (wallet === null) return
  for (const [name, { pnl, vlm }] of windowPerformances) {
    if (!isWindow(name)) continue
    const row = { wallet, displayName: named(displayName), profitUsd: numberOf(pnl), volumeUsd: numberOf(vlm) }
    for (const [by, figure] of [['profit', row.profitUsd] as const, ['volume', row.volumeUsd] as const]) {
      if (figure === null) continue
      const key = `${by}/${windows[name]}`
      const board = boards.get(key) ?? []
      boards.set(key, board)
      const figureOf = (other: Row): number => (by === 'profit' ? other.profitUsd : other.volumeUsd)!
      if (board.length === kept && figureOf(board.at(-1)!) >= figure) continue
      const index = board.findIndex((other) => figureOf(other) < figure)
      board.splice(index < 0 ? board.length : index, 0, row)
      if (board.length > kept) board.pop()
    }
  }
}
