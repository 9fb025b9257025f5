// Messages between a page and its line encoder, and the pages open there. In production it runs in its own thread; without one, in this thread.
import { UnknownColumns } from '#storage/clickhouse/nativeReader'
import type { PageEnd } from '../tape.ts'
import { PageLines } from './pageEncoder.ts'
import type { LinesJob } from './rowWriter.ts'

export interface LinesRequest {
  /** Identifies the page. */
  page: number
  /** Sent with its first bytes. */
  job: LinesJob | null
  /** Transferred memory. */
  bytes: Uint8Array<ArrayBuffer>
  isLast: boolean
}

export type LinesReply =
  /** `end`: with the last bytes. */
  | { kind: 'lines'; chunks: Uint8Array<ArrayBuffer>[]; end: PageEnd | null }
  /** Nothing was written: the engine's columns are not those requested. */
  | { kind: 'unknown'; what: string }

export interface RowEncoderWorker {
  write(request: LinesRequest): Promise<LinesReply>
  /** The page has no reader any more. */
  drop(page: number): void
}

/** One request per page at a time. */
export class OpenPages {
  private readonly pages = new Map<number, PageLines>()

  /** A failed page is forgotten. */
  write({ page, job, bytes, isLast }: LinesRequest): LinesReply {
    try {
      const lines = job === null ? this.pages.get(page) : new PageLines(job)
      if (lines === undefined) throw new Error('no such page')
      this.pages.set(page, lines)
      const chunks = lines.push(bytes)
      const end = isLast ? lines.end() : null
      if (isLast) this.pages.delete(page)
      return { kind: 'lines', chunks, end }
    } catch (error) {
      this.pages.delete(page)
      if (error instanceof UnknownColumns) return { kind: 'unknown', what: error.message }
      throw error
    }
  }

  drop(page: number): void {
    this.pages.delete(page)
  }
}

/** Runs on the caller's thread. */
export function encodeInline(): RowEncoderWorker {
  const pages = new OpenPages()
  return { write: async (request) => pages.write(request), drop: (page) => pages.drop(page) }
}
