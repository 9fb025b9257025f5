// Bounded event queue between a socket and its reader; reports the number of dropped events.

export interface Dropped {
  type: 'dropped'
  /** Events that the reader was too slow for; the oldest waiting ones are dropped. */
  count: number
}

export class Queue<Event> implements AsyncIterableIterator<Event | Dropped, void, undefined> {
  private readonly events: Event[] = []
  private readonly max: number
  private readonly onEnded: () => void
  private readonly onRead: (waiting: number) => void
  private dropped = 0
  private ended: { error: Error | null } | null = null
  private readers: { resolve(step: IteratorResult<Event | Dropped, void>): void; reject(error: Error): void }[] = []

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
    const reader = this.readers.shift()
    if (reader !== undefined) return reader.resolve({ done: false, value: event })
    this.events.push(event)
    if (this.events.length <= this.max) return
    this.events.shift()
    this.dropped++
  }

  /** Waiting events are still read; then the error is thrown, if there is one. */
  end(error: Error | null): void {
    if (this.ended !== null) return
    this.ended = { error }
    for (const reader of this.readers.splice(0)) this.finish(reader)
  }

  next(): Promise<IteratorResult<Event | Dropped, void>> {
    return new Promise((resolve, reject) => {
      if (this.dropped > 0) {
        const count = this.dropped
        this.dropped = 0
        return resolve({ done: false, value: { type: 'dropped', count } })
      }
      const event = this.events.shift()
      if (event !== undefined) {
        resolve({ done: false, value: event })
        return this.onRead(this.events.length)
      }
      if (this.ended !== null) return this.finish({ resolve, reject })
      this.readers.push({ resolve, reject })
    })
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

  /** An error is thrown once; the next read reports the end. */
  private finish({ resolve, reject }: (typeof this.readers)[number]) {
    const error = this.ended?.error ?? null
    if (error === null) return resolve({ done: true, value: undefined })
    this.ended = { error: null }
    reject(error)
  }
}
