// Replay pages that were asked for again lately, as bytes in memory. Only full pages whose rows lie well in the past are kept: there the tape
// has settled, and what still arrives late (a backfill, a backlog worked off) is seen at most `keptForMs` later.
//
//   first time ─► tape          second time ─► tape, kept on the way          from then on ─► memory, until `keptForMs` is over
//
// A reader that walks a month page by page asks each page once: nothing of it is kept, and nothing that others share is pushed out.
import type { Clock } from '#lib/clock'
import { resolutionMs } from './statements/candles.ts'
import type { ReplayPage, ReplayQuery, Tape } from './tape.ts'

/** Bytes of all pages kept. */
export const pageBytesMax = 64 * 1024 * 1024
/** Rows younger than this may still get neighbours: the tape writer holds rows back for minutes when ClickHouse was away. */
export const settledAfterMs = 10 * 60_000
/** A kept page is read anew after this long. */
export const keptForMs = 15_000
/** Questions remembered as asked once. */
const askedMax = 4_096

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
  tape: Pick<Tape, 'replay'>,
  clock: Clock,
  bytesMax = pageBytesMax,
): Pick<Tape, 'replay'> {
  const kept = new Map<string, KeptPage>()
  const asked = new Map<string, number>()
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

  /** True when the same was asked shortly before. */
  function askedBefore(key: string): boolean {
    const before = asked.get(key)
    asked.delete(key)
    asked.set(key, clock.monotonic())
    const oldest = asked.size > askedMax ? asked.keys().next() : undefined
    if (oldest?.done === false) asked.delete(oldest.value)
    return before !== undefined
  }

  return {
    async replay(query) {
      const key = keyOf(query)
      const page = kept.get(key)
      if (page !== undefined && clock.monotonic() - page.keptAt < keptForMs) {
        // Back to the young end of the map.
        kept.delete(key)
        kept.set(key, page)
        return { chunks: replayed(page.chunks), end: Promise.resolve(page.end) }
      }
      drop(key)
      const at = clock.now()
      const keptAt = clock.monotonic()
      const fresh = await tape.replay(query)
      if (!askedBefore(key)) return fresh
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

/** `at`: when the page was asked for. */
function isSettled({ kind, resolution }: ReplayQuery, { last, more }: PageEnd, at: number): boolean {
  const rowMs = kind === 'candles' && resolution !== undefined ? resolutionMs[resolution] : 0
  return more && last !== null && last.ts + rowMs <= at - settledAfterMs
}

async function* replayed(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/** The same page; `keep` is called once it has passed whole, unless it is larger than `sizeMax`. */
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

/** A small piece of a large buffer would keep all of it. */
function ownMemory(chunk: Uint8Array): Uint8Array {
  if (chunk.byteLength * 2 >= chunk.buffer.byteLength) return chunk
  const copy = Buffer.allocUnsafeSlow(chunk.byteLength)
  copy.set(chunk)
  return copy
}
