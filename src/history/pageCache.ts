// Recently re-requested replay pages, as bytes in memory. Only full pages whose rows lie well in the past are cached: the tape has settled
// there, and late arrivals (a backfill, a drained backlog) show at most `retentionMs` later.
//
//   first request ─► tape          second ─► tape, cached on the way          further ones ─► memory, until `retentionMs` is over
//
// A reader that walks a month requests each page once: none of it is cached, and it evicts nothing that others share.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { resolutionMs } from './statements/candles.ts'
import type { MarketHistory, ReplayPage, ReplayQuery } from './tape.ts'

/** Bytes of all cached pages. */
export const pageBytesMax = 64 * 1024 * 1024
/**
 * Rows younger than this may still get neighbours: the tape writer holds rows back for minutes after a ClickHouse outage.
 */
export const settledAfterMs = 10 * 60_000
/** A cached page is read again after this long. */
export const retentionMs = 15_000
/** Queries remembered as requested once. */
const recentMax = 4_096

type PageEnd = Awaited<ReplayPage['end']>

interface KeptPage {
  chunks: readonly Uint8Array[]
  end: PageEnd
  /** Memory it holds. */
  bytes: number
  /** On the monotonic clock. */
  keptAt: number
}

export function cacheReplayPages(
  tape: Pick<MarketHistory, 'replay'>,
  clock: Clock,
  bytesMax = pageBytesMax,
): Pick<MarketHistory, 'replay'> {
  const kept = new Map<string, KeptPage>()
  const recent = new Cache<true>(recentMax)
  let bytes = 0

  function drop(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  function keep(key: string, page: KeptPage): void {
    drop(key)
    kept.set(key, page)
    bytes += page.bytes
    for (const oldest of kept.keys()) {
      if (bytes <= bytesMax) break
      drop(oldest)
    }
  }

  /** True if the same query was made recently. */
  function isRepeated(key: string): boolean {
    const before = recent.get(key)
    recent.set(key, true)
    return before !== undefined
  }

  return {
    async replay(query) {
      const key = keyOf(query)
      const page = kept.get(key)
      if (page !== undefined && clock.monotonic() - page.keptAt < retentionMs) {
        // Moves it to the young end of the map.
        kept.delete(key)
        kept.set(key, page)
        return { chunks: replayed(page.chunks), end: Promise.resolve(page.end) }
      }
      drop(key)
      const at = clock.now()
      const keptAt = clock.monotonic()
      const fresh = await tape.replay(query)
      if (!isRepeated(key)) return fresh
      return keptOnTheWay(fresh, bytesMax / 4, (chunks, size, end) => {
        if (isSettled(query, end, at)) keep(key, { chunks, end, bytes: size, keptAt })
      })
    },
  }
}

const keyOf = ({
  venue,
  outcomeIds,
  marketId,
  kind,
  resolution,
  sinceMs,
  untilMs,
  limit,
  after,
  lines = 'ndjson',
}: ReplayQuery): string =>
  JSON.stringify([venue, outcomeIds, marketId, kind, resolution, sinceMs, untilMs, limit, after?.ts, after?.tie, lines])

/** `at`: when the page was requested. */
function isSettled({ kind, resolution }: ReplayQuery, { last, more }: PageEnd, at: number): boolean {
  const rowMs = kind === 'candles' && resolution !== undefined ? resolutionMs[resolution] : 0
  return more && last !== null && last.ts + rowMs <= at - settledAfterMs
}

async function* replayed(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/** The same page; `keep` is called once it has passed completely, unless it is larger than `sizeMax`. */
function keptOnTheWay(
  page: ReplayPage,
  sizeMax: number,
  keep: (chunks: Uint8Array[], bytes: number, end: PageEnd) => void,
): ReplayPage {
  async function* pass(): AsyncGenerator<Uint8Array> {
    let chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of page.chunks) {
      if (size <= sizeMax) {
        const own = ownMemory(chunk)
        chunks.push(own)
        size += own.buffer.byteLength
      } else chunks = []
      yield chunk
    }
    if (size <= sizeMax) keep(chunks, size, await page.end)
  }
  return { chunks: pass(), end: page.end }
}

/** A small slice of a large buffer would retain all of it. */
function ownMemory(chunk: Uint8Array): Uint8Array {
  if (chunk.byteLength * 2 >= chunk.buffer.byteLength) return chunk
  const copy = Buffer.allocUnsafeSlow(chunk.byteLength)
  copy.set(chunk)
  return copy
}
