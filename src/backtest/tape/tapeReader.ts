// Reads several sources of the tape in time order. Within a millisecond the source listed first comes first, and each keeps its own order.
import type { EmittedFrame } from '#history/paced/sources'

export interface TapeSource {
  /** Index of the feed. */
  feed: number
  pages: AsyncIterable<EmittedFrame[]>
}

interface Source {
  feed: number
  pages: AsyncIterator<EmittedFrame[]>
  page: EmittedFrame[]
  at: number
  ended: boolean
}

export class TapeReader {
  /** Of the event taken last. */
  feed = 0
  private readonly sources: Source[]
  private head: Source | null = null
  private reading: Promise<void> | null = null
  private failure: { error: unknown } | null = null

  constructor(sources: readonly TapeSource[]) {
    this.sources = sources.map(({ feed, pages }) => ({
      ...{ feed, pages: pages[Symbol.asyncIterator](), page: [], at: 0, ended: false },
    }))
  }

  /** Time of the next event, epoch ms; infinity: there is none. A promise: a page is being read; call again once it resolves. */
  nextAt(): number | Promise<void> {
    if (this.failure !== null) throw this.failure.error
    this.head ??= this.findHead()
    if (this.head !== null) return this.head.page[this.head.at]!.at
    if (this.reading !== null) return this.reading
    if (this.sources.every(({ ended }) => ended)) return Number.POSITIVE_INFINITY
    this.reading = this.read()
      .catch((error: unknown) => {
        this.failure = { error }
      })
      .finally(() => {
        this.reading = null
      })
    return this.reading
  }

  /** The next event, of `feed`; `nextAt` has returned its time. */
  take(): EmittedFrame {
    const { head } = this
    if (head === null) throw new Error('the tape has no next event')
    this.head = null
    this.feed = head.feed
    return head.page[head.at++]!
  }

  async close(): Promise<void> {
    await this.reading
    await Promise.allSettled(this.sources.map(({ pages }) => pages.return?.()))
  }

  /** Null: a page must be read first, or nothing is left. */
  private findHead(): Source | null {
    let head: Source | null = null
    for (const source of this.sources) {
      if (source.ended) continue
      if (source.at === source.page.length) return null
      if (head === null || source.page[source.at]!.at < head.page[head.at]!.at) head = source
    }
    return head
  }

  /** One page at a time: a run must not take all connections of the tape. */
  private async read(): Promise<void> {
    for (const source of this.sources) {
      if (source.ended || source.at < source.page.length) continue
      const { value, done } = await source.pages.next()
      source.page = done === true ? [] : value
      source.at = 0
      source.ended = done === true
    }
  }
}
