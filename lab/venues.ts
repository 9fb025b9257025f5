// The lab's venues, one line each. Names, ports, starting, stopping, the control port, recordings and both programs follow
// from it.
import type { ControlledVenue } from './control.ts'
import type { Engine } from './engine/engine.ts'
import { startGeminiLab } from './gemini/venue.ts'
import { startHyperliquidLab } from './hyperliquid/venue.ts'
import { startKalshiLab } from './kalshi/venue.ts'
import { startLimitlessLab } from './limitless/venue.ts'
import { startMyriadLab } from './myriad/venue.ts'
import { startNovigLab } from './novig/venue.ts'
import { startOpinionLab } from './opinion/venue.ts'
import { startPascalLab } from './pascal/venue.ts'
import { startPolymarketLab } from './polymarket/venue.ts'
import { startPolymarketUsLab } from './polymarket_us/venue.ts'
import { startPredLab } from './pred/venue.ts'
import { startPredictFunLab } from './predictfun/venue.ts'
import { startPredictStreetLab } from './predictstreet/venue.ts'
import { startRainLab } from './rain/venue.ts'
import { startSxbetLab } from './sxbet/venue.ts'
import type { LabVenueOptions } from './venueOptions.ts'
import { startXoLab } from './xo/venue.ts'

/** The interface of every lab venue, whatever else it offers to tests. */
export interface LabVenue extends ControlledVenue {
  /** A key that the venue knows, in the venue's own field names. Absent when wallets sign. */
  credentials?: Readonly<Record<string, string>>
  /** Settings the venue hands to its clients, by the names of its lane's `settings`. */
  settings?: Readonly<Record<string, string>>
  engine: Engine
  /** From then on its trades are settled on a chain, and a node announces them before their block. */
  startChain?(options: { port: number }): Promise<LabVenueChain>
  stop(): Promise<void>
}

export interface LabVenueChain {
  /** Of the chain. */
  name: string
  urls: { WS: string }
  /** The environment variables that point a deployment at its node. */
  environment: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** In the order of their ports, which follow the control port's: a new venue goes last, so that the others keep theirs. */
export const labVenues = {
  polymarket: startPolymarketLab,
  kalshi: startKalshiLab,
  gemini: startGeminiLab,
  polymarket_us: startPolymarketUsLab,
  hyperliquid: startHyperliquidLab,
  novig: startNovigLab,
  predictstreet: startPredictStreetLab,
  opinion: startOpinionLab,
  limitless: startLimitlessLab,
  pred: startPredLab,
  sxbet: startSxbetLab,
  pascal: startPascalLab,
  predictfun: startPredictFunLab,
  myriad: startMyriadLab,
  xo: startXoLab,
  rain: startRainLab,
} as const satisfies Readonly<Record<string, (options: LabVenueOptions) => Promise<LabVenue>>>

export type LabVenueName = keyof typeof labVenues
export type LabVenues = { [Name in LabVenueName]: Awaited<ReturnType<(typeof labVenues)[Name]>> }

export const labVenueNames = Object.keys(labVenues) as LabVenueName[]

/** Started by default: those that stream. */
export const defaultVenues: readonly LabVenueName[] = ['polymarket', 'kalshi']

/**
 * The demo's synthetic messages per second and market: visible activity at little load. With many venues each market moves more slowly, so
 * that all together are no busier than four.
 */
export const demoRate = (venues: number): number => Math.min(4, 16 / Math.max(1, venues))

/** Reads a comma-separated list, or `all`. Throws for a name that is no lab venue. */
export function readVenueNames(text: string | undefined): readonly LabVenueName[] {
  if (text === undefined) return defaultVenues
  if (text === 'all') return labVenueNames
  const requestedNames = text.split(',')
  const unknownName = requestedNames.find((name) => !Object.hasOwn(labVenues, name))
  if (unknownName !== undefined)
    throw new Error(`the lab has ${labVenueNames.join(', ')} and all, not "${unknownName}"`)
  return labVenueNames.filter((name) => requestedNames.includes(name))
}
