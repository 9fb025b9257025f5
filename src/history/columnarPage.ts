// A page from the engine's columns, encoded by a thread: bytes are collected and transferred to it, lines come back. At most two batches of a page
// are in flight, so a slow reader applies backpressure to the engine as with any other source.
import type { LinesReply, RowEncoderWorker } from './lines/rowEncoderWorker.ts'
import type { LinesJob } from './lines/rowWriter.ts'
import type { PageEnd, ReplayPage } from './tape.ts'
import { tapeUnavailable } from './tapeReads.ts'

/** Per request to the thread: a block of the widest rows without texts, and half of another. */
export const gatheredBytes = 512 * 1024

let pages = 0

export interface ColumnPageOptions {
  job: LinesJob
  thread: RowEncoderWorker
  /** The same page as printed by the engine: for engines whose columns we cannot read. */
  printed(what: string): Promise<ReplayPage>
}

export function columnPage(source: AsyncIterable<Uint8Array>, { job, thread, printed }: ColumnPageOptions): ReplayPage {
  const end = Promise.withResolvers<PageEnd>()
  // A reader that disconnected does not await the page's end.
  end.promise.catch(() => undefined)

  async function* lines(): AsyncGenerator<Uint8Array> {
    const page = ++pages
    let known: LinesJob | null = job
    let waiting: Promise<LinesReply> | null = null
    let ended = false
    try {
      for await (const { bytes, isLast } of gathered(source)) {
        const reply: LinesReply | null = await waiting
        if (reply?.kind === 'unknown') break
        waiting = thread.write({ page, job: known, bytes, isLast })
        // Its failure surfaces on the next iteration, or nowhere.
        waiting.catch(() => undefined)
        known = null
        if (reply !== null) yield* reply.chunks
      }
      const reply: LinesReply | null = await waiting
      if (reply?.kind === 'unknown') yield* asPrinted(reply.what)
      else if (reply?.end) {
        yield* reply.chunks
        end.resolve(reply.end)
      } else throw tapeUnavailable(new Error('the page has no end'))
      ended = true
    } catch (error) {
      ended = true
      thread.drop(page)
      end.reject(error)
      throw error
    } finally {
      if (!ended) {
        thread.drop(page)
        end.reject(new Error('the reader left before the page ended'))
      }
    }
  }

  async function* asPrinted(what: string): AsyncGenerator<Uint8Array> {
    const other = await printed(what)
    yield* other.chunks
    end.resolve(await other.end)
  }

  return { chunks: lines(), end: end.promise }
}

/**
 * Not from Node's pool, which cannot be transferred. Not zeroed: every byte is either written or excluded from the
 * length.
 */
const fresh = (): Buffer<ArrayBuffer> => Buffer.allocUnsafeSlow(gatheredBytes)

interface Gathered {
  bytes: Uint8Array<ArrayBuffer>
  isLast: boolean
}

/**
 * Copied into its own memory: chunks of one socket read share a buffer, and transferring one would detach all of them. The last may be empty.
 */
async function* gathered(source: AsyncIterable<Uint8Array>): AsyncGenerator<Gathered> {
  let memory = fresh()
  let length = 0
  for await (const chunk of source) {
    let from = 0
    while (from < chunk.length) {
      const part = chunk.subarray(from, from + memory.length - length)
      memory.set(part, length)
      length += part.length
      from += part.length
      if (length < memory.length) break
      yield { bytes: memory, isLast: false }
      memory = fresh()
      length = 0
    }
  }
  yield { bytes: memory.subarray(0, length), isLast: true }
}
