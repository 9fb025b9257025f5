// Merges several sources in time order. Within a millisecond the source listed first comes first, and each keeps its own order.
import type { EmittedFrame } from './sources.ts'

interface Source<Of> {
  of: Of
  pages: AsyncIterator<EmittedFrame[]>
  page: EmittedFrame[]
  at: number
  ended: boolean
}

export class KWayMerge<Of> {
  private readonly sources: Source<Of>[]
  private heldBack: Source<Of> | null = null

  constructor(sources: readonly { of: Of; pages: AsyncIterable<EmittedFrame[]> }[]) {
    this.sources = sources.map(({ of, pages }) => ({
      of,
      pages: pages[Symbol.asyncIterator](),
      page: [],
      at: 0,
      ended: false,
    }))
  }

  /** The next event; it stays next until `take`. Null: exhausted. A promise if a page must be read first. */
  peek(): { of: Of; frame: EmittedFrame } | null | Promise<{ of: Of; frame: EmittedFrame } | null> {
    for (const source of this.sources) if (!source.ended && source.at === source.page.length) return this.fill()
    let next: Source<Of> | null = null
    for (const source of this.sources) {
      if (source.ended) continue
      if (next === null || source.page[source.at]!.at < next.page[next.at]!.at) next = source
    }
    this.heldBack = next
    return next === null ? null : { of: next.of, frame: next.page[next.at]! }
  }

  take(): void {
    if (this.heldBack !== null) this.heldBack.at += 1
    this.heldBack = null
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.sources.map(({ pages }) => pages.return?.()))
  }

  /** One page at a time: one replay must not take all of the tape's connections. */
  private async fill(): Promise<{ of: Of; frame: EmittedFrame } | null> {
    for (const source of this.sources) {
      if (source.ended || source.at < source.page.length) continue
      const { value, done } = await source.pages.next()
      source.page = done === true ? [] : value
      source.at = 0
      source.ended = source.page.length === 0
    }
    return this.peek()
  }
}
