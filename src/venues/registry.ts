// Every built venue. The compiler refuses a slug without its manifest here, and a manifest without its slug in schemas/venues.ts.
import type { BuiltVenue, SandboxVenue } from '#schemas/venues'
import { gemini } from './gemini/index.ts'
import { hyperliquid } from './hyperliquid/index.ts'
import { kalshiDemo } from './kalshi/demo.ts'
import { kalshi } from './kalshi/index.ts'
import type { BuildLane, ExecutionAdapter } from './lane.ts'
import { limitless } from './limitless/index.ts'
import { myriad } from './myriad/index.ts'
import { novig } from './novig/index.ts'
import { opinion } from './opinion/index.ts'
import { pascal } from './pascal/index.ts'
import { polymarket } from './polymarket/index.ts'
import { polymarketUs } from './polymarket_us/index.ts'
import { pred } from './pred/index.ts'
import { predictfun } from './predictfun/index.ts'
import { predictstreet } from './predictstreet/index.ts'
import { rain } from './rain/index.ts'
import { sxbet } from './sxbet/index.ts'
import type { VenueManifest } from './venue.ts'
import { xo } from './xo/index.ts'

export const registry = {
  polymarket,
  kalshi,
  opinion,
  gemini,
  polymarket_us: polymarketUs,
  hyperliquid,
  pred,
  predictfun,
  predictstreet,
  novig,
  limitless,
  sxbet,
  pascal,
  myriad,
  xo,
  rain,
} as const satisfies Record<BuiltVenue, VenueManifest>

/** Paper data of the venues above, read by the same code. */
export const sandboxes = { 'kalshi-demo': kalshiDemo } as const satisfies Record<SandboxVenue, VenueManifest>

/** Every readable venue. */
export const manifests: readonly VenueManifest[] = [...Object.values(registry), ...Object.values(sandboxes)]

/** Venues with order entry. */
export type LaneVenue = {
  [Slug in BuiltVenue]: (typeof registry)[Slug] extends { exec: infer L extends ExecutionAdapter }
    ? L extends BuildLane
      ? never
      : Slug
    : never
}[BuiltVenue]

export const statusLanes = Object.values<VenueManifest>(registry).flatMap(({ status }) => status ?? [])

/** By slug, alphabetically. */
export const lanes = Object.fromEntries(
  Object.values<VenueManifest>(registry)
    .flatMap(({ exec }) => exec ?? [])
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
    .map((lane) => [lane.slug, lane]),
) as Record<LaneVenue, ExecutionAdapter>
