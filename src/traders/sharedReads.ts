// Questions to venues: each ends in time, equal ones under way are one, and what changes slowly is kept for a moment.
import type { Clock } from '#lib/clock'
import { Fault } from '#lib/fault'
import type { VenueContext } from '#venues/venue'
import type { TraderVenue } from './ports.ts'

/** A venue gets this long for what one answer takes, milliseconds; it may be several requests. */
const usualMs = 8_000
const keptMs = 60_000
/** Rankings of all venues are fewer. */
const keptMax = 256

export class SharedReads {
  private readonly running = new Map<string, Promise<unknown>>()
  /** Oldest first. */
  private readonly kept = new Map<string, { value: unknown; at: number }>()
  private readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** `key` names the question, beside the venue. Throws NETWORK_ERROR for what is late. */
  ask<T>(
    { slug, context }: TraderVenue,
    key: string,
    read: (context: VenueContext) => Promise<T>,
    limitMs = usualMs,
  ): Promise<T> {
    const name = `${slug} ${key}`
    const before = this.running.get(name)
    if (before !== undefined) return before as Promise<T>
    const asked = this.inTime(slug, context, read, limitMs).finally(() => this.running.delete(name))
    this.running.set(name, asked)
    return asked
  }

  /** As `ask`, and the answer is given again for a minute. */
  async askKept<T>(
    venue: TraderVenue,
    key: string,
    read: (context: VenueContext) => Promise<T>,
    limitMs?: number,
  ): Promise<T> {
    const name = `${venue.slug} ${key}`
    const held = this.kept.get(name)
    if (held !== undefined && this.clock.monotonic() - held.at < keptMs) return held.value as T
    const value = await this.ask(venue, key, read, limitMs)
    this.kept.delete(name)
    this.kept.set(name, { value, at: this.clock.monotonic() })
    const [oldest] = this.kept.keys()
    if (this.kept.size > keptMax) this.kept.delete(oldest!)
    return value
  }

  private async inTime<T>(
    slug: string,
    context: VenueContext,
    read: (context: VenueContext) => Promise<T>,
    limitMs: number,
  ): Promise<T> {
    const controller = new AbortController()
    const signal = AbortSignal.any([context.signal, controller.signal])
    let refuse: () => void = () => undefined
    const late = new Promise<never>((_, reject) => {
      refuse = () => {
        reject(new Fault('NETWORK_ERROR', 'the venue did not answer in time', { exchange: slug, retryAfterSeconds: 1 }))
        controller.abort()
      }
    })
    const timer = this.clock.after(limitMs, refuse)
    try {
      return await Promise.race([read({ ...context, signal }), late])
    } finally {
      timer.cancel()
    }
  }
}
