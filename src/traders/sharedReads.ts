// Requests to venues: each ends in time, equal concurrent ones are shared, and slowly changing data is cached briefly.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { SingleFlight } from '#core/singleFlight'
import type { VenueContext } from '#venues/venueContext'
import { callerContext } from './callerContext.ts'
import type { TraderVenue } from './ports.ts'

/** Time limit for one answer of a venue, milliseconds; it may take several requests. */
const usualMs = 8_000
const keptMs = 60_000
/** More than the rankings of all venues. */
const keptMax = 256

export class SharedReads {
  private readonly running = new SingleFlight<unknown>()
  private readonly kept: Cache<unknown>
  private readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
    this.kept = new Cache(keptMax, { clock, forMs: keptMs })
  }

  /** `key` identifies the request, in addition to the venue. Throws NETWORK_ERROR on timeout. */
  request<T>(
    { slug, context, account }: TraderVenue,
    key: string,
    read: (context: VenueContext) => Promise<T>,
    limitMs = usualMs,
  ): Promise<T> {
    const send = (): Promise<T> => this.inTime(slug, context, read, limitMs)
    return this.running.run(`${slug} ${key}`, () =>
      account === undefined ? send() : callerContext.run(account, send),
    ) as Promise<T>
  }

  /** Like `ask`, with the answer cached for a minute. */
  requestCached<T>(
    venue: TraderVenue,
    key: string,
    read: (context: VenueContext) => Promise<T>,
    limitMs?: number,
  ): Promise<T> {
    return this.kept.getOrLoad(`${venue.slug} ${key}`, () => this.request(venue, key, read, limitMs)) as Promise<T>
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
