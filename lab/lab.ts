// The lab: venues seen from outside, on loopback, with faults on demand. It shares no code with the adapters under test.
import { type Clock, systemClock } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import { startControl } from './control.ts'
import { type FeedsLab, startFeedsLab } from './feeds/feeds.ts'
import { type GlideLab, startGlideLab } from './glide/provider.ts'
import { findRecordings, playRecordings, recordedMarkets } from './recordings.ts'
import type { LabVenueOptions } from './venueOptions.ts'
import {
  defaultVenues,
  type LabVenue,
  type LabVenueChain,
  type LabVenueName,
  type LabVenues,
  labVenueNames,
  labVenues,
} from './venues.ts'

export { type LabVenueName, labVenueNames }

export interface LabOptions {
  clock?: Clock
  /** The same seed, clock and calls give the same venues and the same streams. */
  seed?: string | number
  /** By default those that stream. */
  venues?: readonly LabVenueName[]
  /** Adds the reference feeds: Binance and Chainlink. */
  feeds?: boolean
  /** Adds the funding bridge's provider: Glide. */
  bridge?: boolean
  /** Adds the chains that settle venues' trades, with nodes that announce them before their block. */
  chains?: boolean
  /** Synthetic messages per second and market; 2 by default. */
  ratePerSecond?: number
  /** Minimum markets per venue; 120 by default. */
  markets?: number
  /** Adds logically related questions, priced so that structures of every kind exist in their books. */
  related?: boolean
  movingMarkets?: number
  /** Ids of orders and fills follow from the numbers after this one, so that two runs have no id in common; 0 by default. */
  idsAfter?: number
  tickMs?: number
  /** A client with more unread bytes is disconnected; 64 MiB by default. */
  sendQueueMaxBytes?: number
  /**
   * First of the ports: control, then the venues in the table's order, then the feeds, the bridge and the chains' nodes, started or not; 0 picks free
   * ones.
   */
  port?: number
  /** A folder of recordings to play. */
  recordings?: string
  log?: Log
}

/** Accessing a venue that was not started throws. */
export interface Lab extends LabVenues {
  control: { url: string }
  feeds: FeedsLab
  bridge: GlideLab
  /** Empty unless requested, or when no started venue has one. */
  chains: LabVenueChain[]
  /** Recorded events played so far. */
  played(): number
  stop(): Promise<void>
}

const RATE_PER_SECOND = 2

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const clock = options.clock ?? systemClock
  const log = options.log ?? silentLog
  const names = options.venues ?? defaultVenues
  const found = options.recordings === undefined ? [] : findRecordings(options.recordings)
  const port = options.port ?? 0
  const recorded = await recordedMarkets(found)
  const venueOptions = (offset: number): LabVenueOptions => ({
    clock,
    seed: String(options.seed ?? 1),
    ratePerSecond: options.ratePerSecond ?? RATE_PER_SECOND,
    markets: options.markets,
    related: options.related,
    movingMarkets: options.movingMarkets,
    idsAfter: options.idsAfter,
    tickMs: options.tickMs,
    sendQueueMaxBytes: options.sendQueueMaxBytes,
    port: port === 0 ? 0 : port + offset,
    recorded,
  })
  const venues: Partial<Record<LabVenueName, LabVenue>> = {}
  for (const [i, name] of labVenueNames.entries()) {
    if (names.includes(name)) venues[name] = await labVenues[name](venueOptions(i + 1))
  }
  const started = Object.values(venues)
  const portOf = (offset: number): number => (port === 0 ? 0 : port + 1 + labVenueNames.length + offset)
  const feeds =
    options.feeds === true
      ? await startFeedsLab({ clock, seed: String(options.seed ?? 1) }, [portOf(0), portOf(1)])
      : undefined
  const bridge =
    options.bridge === true
      ? await startGlideLab({ clock, seed: String(options.seed ?? 1), port: portOf(2) })
      : undefined
  const chains: LabVenueChain[] = []
  for (const { startChain } of options.chains === true ? started : [])
    if (startChain !== undefined) chains.push(await startChain({ port: portOf(3 + chains.length) }))
  const control = await startControl(
    {
      ...venues,
      ...(feeds && { binance: feeds.binance, chainlink: feeds.chainlink }),
      ...(bridge && { glide: bridge }),
    },
    port,
  )
  const player = playRecordings(
    found,
    started.map(({ engine }) => engine),
    clock,
    (error) => log.error({ err: error }, 'could not play a recording'),
  )
  let stopping: Promise<void> | null = null
  const lab = {
    control: { url: control.url },
    get feeds() {
      if (feeds === undefined) throw new Error('the lab was started without feeds')
      return feeds
    },
    get bridge() {
      if (bridge === undefined) throw new Error('the lab was started without the bridge')
      return bridge
    },
    chains,
    played: () => player.played(),
    stop() {
      stopping ??= (async () => {
        player.stop()
        await Promise.all([
          ...started.map((venue) => venue.stop()),
          feeds?.stop(),
          bridge?.stop(),
          ...chains.map((chain) => chain.stop()),
          control.stop(),
        ])
      })()
      return stopping
    },
  }
  for (const name of labVenueNames) Object.defineProperty(lab, name, { get: () => touched(venues, name) })
  return lab as Lab
}

function touched(venues: Partial<Record<LabVenueName, LabVenue>>, name: LabVenueName): LabVenue {
  const venue = venues[name]
  if (venue === undefined) throw new Error(`the lab was started without ${name}`)
  return venue
}
