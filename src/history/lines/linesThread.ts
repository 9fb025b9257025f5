// What a page asks of whoever writes its lines, and the pages that are being written there. It is a thread of its own in service; where there is none, this.
import { UnknownColumns } from '#storage/clickhouse/nativeReader'
import type { PageEnd } from '../tape.ts'
import { PageLines } from './pageLines.ts'
import type { LinesJob } from './rowWriter.ts'

export interface LinesRequest {
  /** Names the page. */
  page: number
  /** With its first bytes. */
  job: LinesJob | null
  /** In memory that is given away. */
  bytes: Uint8Array<ArrayBuffer>
  isLast: boolean
}

export type LinesReply =
  /** `end`: with the last bytes. */
  | { kind: 'lines'; chunks: Uint8Array<ArrayBuffer>[]; end: PageEnd | null }
  /** Nothing was written: the engine's columns are not those that were asked for. */
  | { kind: 'unknown'; what: string }

export interface LinesThread {
  write(request: LinesRequest): Promise<LinesReply>
  /** Nobody reads the page any more. */
  drop(page: number): void
}

/** One request of a page at a time. */
export class OpenPages {
  private readonly pages = new Map<number, PageLines>()

  /** A page that failed is forgotten. */
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

/** On the thread of whoever asks. */
export function linesHere(): LinesThread {
  const pages = new OpenPages()
  return { write: async (request) => pages.write(request), drop: (page) => pages.drop(page) }
}
