// The lab: venues seen from outside, on loopback, with faults on demand. It shares no code with the adapters it is there to test.
import { type Clock, systemClock } from '#lib/clock'
import { type Log, silentLog } from '#lib/log'
import { type ControlledVenue, startControl } from './control.ts'
import { type KalshiLab, startKalshiLab } from './kalshi/venue.ts'
import { type PolymarketLab, startPolymarketLab } from './polymarket/venue.ts'
import { findRecordings, playRecordings, recordedMarkets } from './recordings.ts'
import type { LabVenueOptions } from './venueOptions.ts'

export type LabVenueName = 'polymarket' | 'kalshi'

export interface LabOptions {
  clock?: Clock
  /** The same seed, clock and calls give the same venues and the same streams. */
  seed?: string | number
  venues?: readonly LabVenueName[]
  /** Synthetic messages per second and market; 2 unless told. */
  ratePerSecond?: number
  /** At least so many markets a venue; 120 unless told. */
  markets?: number
  movingMarkets?: number
  tickMs?: number
  /** A client with more than this unread is cut; 64 MiB unless told. */
  sendQueueMaxBytes?: number
  /** First of the ports control, polymarket, kalshi; 0 takes free ones. */
  port?: number
  /** A folder of recordings to play. */
  recordings?: string
  log?: Log
}

export interface Lab {
  /** A venue that was not started throws when touched. */
  polymarket: PolymarketLab
  kalshi: KalshiLab
  control: { url: string }
  /** Recorded events played so far. */
  played(): number
  stop(): Promise<void>
}

const RATE_PER_SECOND = 2

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const clock = options.clock ?? systemClock
  const log = options.log ?? silentLog
  const names = options.venues ?? ['polymarket', 'kalshi']
  const found = options.recordings === undefined ? [] : findRecordings(options.recordings)
  const port = options.port ?? 0
  const venueOptions = (offset: number): LabVenueOptions => ({
    clock,
    seed: String(options.seed ?? 1),
    ratePerSecond: options.ratePerSecond ?? RATE_PER_SECOND,
    markets: options.markets,
    movingMarkets: options.movingMarkets,
    tickMs: options.tickMs,
    sendQueueMaxBytes: options.sendQueueMaxBytes,
    port: port === 0 ? 0 : port + offset,
    recorded,
  })
  const recorded = await recordedMarkets(found)
  const polymarket = names.includes('polymarket') ? await startPolymarketLab(venueOptions(1)) : null
  const kalshi = names.includes('kalshi') ? await startKalshiLab(venueOptions(2)) : null
  const venues: Record<string, ControlledVenue> = {}
  if (polymarket !== null) venues.polymarket = polymarket
  if (kalshi !== null) venues.kalshi = kalshi
  const control = await startControl(venues, port)
  const player = playRecordings(
    found,
    { kalshi: kalshi?.engine ?? null, polymarket: polymarket?.engine ?? null },
    clock,
    (error) => log.error({ err: error }, 'a recording could not be played'),
  )
  let stopping: Promise<void> | null = null
  return {
    get polymarket() {
      return started(polymarket, 'polymarket')
    },
    get kalshi() {
      return started(kalshi, 'kalshi')
    },
    control: { url: control.url },
    played: () => player.played(),
    stop() {
      stopping ??= (async () => {
        player.stop()
        await Promise.all([polymarket?.stop(), kalshi?.stop(), control.stop()])
      })()
      return stopping
    },
  }
}

function started<T>(venue: T | null, name: string): T {
  if (venue === null) throw new Error(`the lab was started without ${name}`)
  return venue
}
