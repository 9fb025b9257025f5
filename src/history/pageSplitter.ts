// Cuts one page out of the engine's bytes. Rows pass untouched: only row boundaries are searched for, and only the last row is
// parsed.
import type { Fault } from '#core/fault'
import type { ReplayPage, ReplayPosition } from './tape.ts'
import { rowIn, tapeUnavailable } from './tapeReads.ts'

const newline = 10
/** No NDJSON row is shorter, so the search for a row's end starts this far in. */
const rowBytesMin = 32

export interface SplitOptions {
  /** Rows of a page. `source` has one more if the tape continues, and all rows that share its key. */
  limit: number
  positionOf(line: Readonly<Record<string, unknown>>): ReplayPosition
}

export function splitPage(source: AsyncIterable<Uint8Array>, { limit, positionOf }: SplitOptions): ReplayPage {
  const positionIn = (line: string): ReplayPosition => positionOf(rowIn(line))
  const end = Promise.withResolvers<Awaited<ReplayPage['end']>>()
  // A reader that disconnected does not await the page's end.
  end.promise.catch(() => undefined)

  async function* cut(): AsyncGenerator<Uint8Array> {
    let rows = 0
    /** Bytes of a row split between chunks; already handed on. */
    let open: Uint8Array[] = []
    let lastRow: Uint8Array | null = null
    const beyond: Uint8Array[] = []
    let ended = false
    try {
      for await (const chunk of source) {
        if (chunk.length === 0) continue
        if (rows >= limit) {
          beyond.push(chunk)
          continue
        }
        const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        let start = 0
        let lastStart = 0
        // A row split by the previous chunk may end anywhere in this one.
        let at = bytes.indexOf(newline, open.length === 0 ? rowBytesMin : 0)
        let head: Uint8Array[] = open
        let rowHead: Uint8Array[] = []
        while (at >= 0) {
          rows += 1
          lastStart = start
          rowHead = head
          head = []
          start = at + 1
          if (rows >= limit) break
          at = bytes.indexOf(newline, start + rowBytesMin)
        }
        if (start > 0) lastRow = Buffer.concat([...rowHead, bytes.subarray(lastStart, start - 1)])
        if (rows >= limit) {
          open = []
          if (start < bytes.length) beyond.push(bytes.subarray(start))
          yield bytes.subarray(0, start)
        } else {
          // Copied because the chunk belongs to its receiver.
          const rest = Buffer.from(bytes.subarray(start))
          open = start > 0 ? [rest] : [...open, rest]
          if (rest.length === 0) open = start > 0 ? [] : open
          yield bytes
        }
      }
      if (open.some((part) => part.length > 0)) throw brokenOff()
      const last = lastRow === null ? null : positionIn(Buffer.from(lastRow).toString())
      const shared = last === null ? 0 : countShared(beyond, last, positionIn)
      if (shared > 0) yield Buffer.concat(beyond)
      ended = true
      end.resolve({ rows: rows + shared, last, more: beyond.length > 0 })
    } catch (error) {
      ended = true
      end.reject(error)
      throw error
    } finally {
      if (!ended) end.reject(new Error('the reader left before the page ended'))
    }
  }

  return { chunks: cut(), end: end.promise }
}

const brokenOff = (): Fault => tapeUnavailable(new Error('the tape broke off inside a row'))

/**
 * Rows beyond the limit that share the last row's key belong to the page, because a cursor cannot point between them: all of them or
 * none.
 */
function countShared(
  beyond: readonly Uint8Array[],
  last: ReplayPosition,
  positionIn: (line: string) => ReplayPosition,
): number {
  if (beyond.length === 0) return 0
  const text = Buffer.concat(beyond).toString()
  if (!text.endsWith('\n')) throw brokenOff()
  const lines = text.trimEnd().split('\n')
  const next = positionIn(lines[0] as string)
  return next.ts === last.ts && next.tie === last.tie ? lines.length : 0
}
