// The lab: venues seen from outside, on loopback, with faults on demand. It shares no code with the adapters it is there to test.
import { type Clock, systemClock } from '#lib/clock'
import { type Log, silentLog } from '#lib/log'
import { type ControlledVenue, startControl } from './control.ts'
import { type GeminiLab, startGeminiLab } from './gemini/venue.ts'
import { type HyperliquidLab, startHyperliquidLab } from './hyperliquid/venue.ts'
import { type KalshiLab, startKalshiLab } from './kalshi/venue.ts'
import { type PolymarketLab, startPolymarketLab } from './polymarket/venue.ts'
import { type PolymarketUsLab, startPolymarketUsLab } from './polymarket_us/venue.ts'
import { findRecordings, playRecordings, recordedMarkets } from './recordings.ts'
import type { LabVenueOptions } from './venueOptions.ts'

export const labVenueNames = ['polymarket', 'kalshi', 'gemini', 'polymarket_us', 'hyperliquid'] as const
export type LabVenueName = (typeof labVenueNames)[number]

export interface LabOptions {
  clock?: Clock
  /** The same seed, clock and calls give the same venues and the same streams. */
  seed?: string | number
  /** `polymarket` and `kalshi` unless told: the other three take orders, but have no streams. */
  venues?: readonly LabVenueName[]
  /** Synthetic messages per second and market; 2 unless told. */
  ratePerSecond?: number
  /** At least so many markets a venue; 120 unless told. */
  markets?: number
  movingMarkets?: number
  tickMs?: number
  /** A client with more than this unread is cut; 64 MiB unless told. */
  sendQueueMaxBytes?: number
  /** First of the ports control, polymarket, kalshi, gemini, polymarket_us, hyperliquid; 0 takes free ones. */
  port?: number
  /** A folder of recordings to play. */
  recordings?: string
  log?: Log
}

export interface Lab {
  /** A venue that was not started throws when touched. */
  polymarket: PolymarketLab
  kalshi: KalshiLab
  gemini: GeminiLab
  polymarket_us: PolymarketUsLab
  hyperliquid: HyperliquidLab
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
  const gemini = names.includes('gemini') ? await startGeminiLab(venueOptions(3)) : null
  const polymarketUs = names.includes('polymarket_us') ? await startPolymarketUsLab(venueOptions(4)) : null
  const hyperliquid = names.includes('hyperliquid') ? await startHyperliquidLab(venueOptions(5)) : null
  const venues: Record<string, ControlledVenue> = {}
  if (polymarket !== null) venues.polymarket = polymarket
  if (kalshi !== null) venues.kalshi = kalshi
  if (gemini !== null) venues.gemini = gemini
  if (polymarketUs !== null) venues.polymarket_us = polymarketUs
  if (hyperliquid !== null) venues.hyperliquid = hyperliquid
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
    get gemini() {
      return started(gemini, 'gemini')
    },
    get polymarket_us() {
      return started(polymarketUs, 'polymarket_us')
    },
    get hyperliquid() {
      return started(hyperliquid, 'hyperliquid')
    },
    control: { url: control.url },
    played: () => player.played(),
    stop() {
      stopping ??= (async () => {
        player.stop()
        await Promise.all([
          ...[polymarket, kalshi, gemini, polymarketUs, hyperliquid].map((venue) => venue?.stop()),
          control.stop(),
        ])
      })()
      return stopping
    },
  }
}

function started<T>(venue: T | null, name: string): T {
  if (venue === null) throw new Error(`the lab was started without ${name}`)
  return venue
}
