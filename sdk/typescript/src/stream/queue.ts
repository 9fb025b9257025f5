// Bounded event queue between a socket and its reader; reports the number of dropped events.

export interface Dropped {
  type: 'dropped'
  /** Events that the reader was too slow for; the oldest waiting ones are dropped. */
  count: number
}

interface Waiting<Event> {
  resolve(step: IteratorResult<Event | Dropped, void>): void
  reject(error: Error): void
}

const ignore = (): void => undefined

export class Queue<Event> implements AsyncIterableIterator<Event | Dropped, void, undefined> {
  private readonly events: Event[] = []
  private readonly max: number
  private readonly onEnded: () => void
  private readonly onRead: (waiting: number) => void
  private dropped = 0
  private ended: { error: Error | null } | null = null
  /** The reader that waits longest, usually the only one: it costs no object of its own. */
  private resolveFirst: Waiting<Event>['resolve'] | null = null
  private rejectFirst: Waiting<Event>['reject'] = ignore
  private readonly laterReaders: Waiting<Event>[] = []
  /** Made once, not for every read. */
  private readonly wait = (resolve: Waiting<Event>['resolve'], reject: Waiting<Event>['reject']): void => {
    if (this.resolveFirst !== null) {
      this.laterReaders.push({ resolve, reject })
      return
    }
    this.resolveFirst = resolve
    this.rejectFirst = reject
  }

  /** `onEnded`: the reader stops reading. `onRead`: the number of events still waiting. */
  constructor(max: number, hooks: { onEnded(): void; onRead?(waiting: number): void }) {
    this.max = max
    this.onEnded = hooks.onEnded
    this.onRead = hooks.onRead ?? (() => undefined)
  }

  get size(): number {
    return this.events.length
  }

  push(event: Event) {
    if (this.ended !== null) return
    const resolve = this.resolveFirst
    if (resolve !== null) {
      this.resolveFirst = null
      if (this.laterReaders.length > 0) this.promote()
      return resolve({ done: false, value: event })
    }
    this.events.push(event)
    if (this.events.length <= this.max) return
    this.events.shift()
    this.dropped++
  }

  /** Waiting events are still read; then the error is thrown, if there is one. */
  end(error: Error | null): void {
    if (this.ended !== null) return
    this.ended = { error }
    while (this.resolveFirst !== null) {
      const reader = { resolve: this.resolveFirst, reject: this.rejectFirst }
      this.resolveFirst = null
      this.promote()
      this.finish(reader)
    }
  }

  next(): Promise<IteratorResult<Event | Dropped, void>> {
    if (this.dropped > 0) {
      const count = this.dropped
      this.dropped = 0
      return Promise.resolve({ done: false, value: { type: 'dropped', count } })
    }
    const { events } = this
    if (events.length > 0) {
      const step = Promise.resolve({ done: false as const, value: events.shift()! })
      this.onRead(events.length)
      return step
    }
    return new Promise(this.ended === null ? this.wait : (resolve, reject) => this.finish({ resolve, reject }))
  }

  async return(): Promise<IteratorResult<Event | Dropped, void>> {
    this.events.length = 0
    this.dropped = 0
    this.end(null)
    this.onEnded()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  private promote(): void {
    const next = this.laterReaders.shift()
    if (next === undefined) return
    this.resolveFirst = next.resolve
    this.rejectFirst = next.reject
  }

  /** An error is thrown once; the next read reports the end. */
  private finish({ resolve, reject }: Waiting<Event>) {
    const error = this.ended?.error ?? null
    if (error === null) return resolve({ done: true, value: undefined })
    this.ended = { error: null }
    reject(error)
  }
}
