// Which venues exist and what their data is. The specification's capability table as data: facts, no behaviour.

/** Venues the data API serves, in the specification's order. */
export const servedVenues = [
  'polymarket',
  'kalshi',
  'opinion',
  'hyperliquid',
  'limitless',
  'polymarket_us',
  'sxbet',
  'myriad',
  'gemini',
  'rain',
  'predictfun',
  'pascal',
  'xo',
  'pred',
  'predictstreet',
  'novig',
] as const

/** Every request for these answers 404 EXCHANGE_NOT_AVAILABLE and router fan-outs leave them out. */
export const darkVenues = ['smarkets', 'predictit'] as const

/** Paper data only: never in public lists, router results or cross-venue outputs. Not built into `all` venues: an operator names them. */
export const sandboxVenues = ['kalshi-demo'] as const

const [dark, sandbox]: ReadonlySet<string>[] = [new Set(darkVenues), new Set(sandboxVenues)] as const
export const isDark = (venue: string): boolean => dark.has(venue)
export const isSandbox = (venue: string): boolean => sandbox.has(venue)

/** Allowed in the `{venue}` segment of execution routes, in the specification's order; whether a lane exists is another question. */
export const executionVenues = [
  'hyperliquid',
  'kalshi',
  'limitless',
  'opinion',
  'polymarket',
  'polymarket_us',
  'predictfun',
  'pascal',
  'xo',
  'gemini',
  'pred',
  'rain',
  'myriad',
  'predictstreet',
  'novig',
] as const
export type ExecutionVenue = (typeof executionVenues)[number]

/** The status refresh takes these too; nothing else is done with them. */
export const refreshedVenues = ['sxbet'] as const
export type RefreshedVenue = (typeof refreshedVenues)[number]
export type AskedVenue = ExecutionVenue | RefreshedVenue

/** Those that settle on a chain: resolved shares are redeemed by their holder. */
export const settlementVenues = [
  'limitless',
  'opinion',
  'predictfun',
  'myriad',
  'rain',
  'polymarket',
] as const satisfies readonly ExecutionVenue[]

export type ServedVenue = (typeof servedVenues)[number]
export type DarkVenue = (typeof darkVenues)[number]
export type SandboxVenue = (typeof sandboxVenues)[number]
export type VenueSlug = ServedVenue | DarkVenue | SandboxVenue

/** Venue keys that clients of the same API family already type. */
export const venueAliases: ReadonlyMap<string, VenueSlug> = new Map([['gemini-titan', 'gemini']])

/** A venue as a caller writes it, in any case and by any of its names; wherever a venue is named, it is read by this. */
export function canonicalVenue(name: string): string {
  const lower = name.toLowerCase()
  return venueAliases.get(lower) ?? lower
}

export type Volume24hSource = 'venue' | 'derived_cumulative' | 'derived_tape'
export type Volume24hUnit = 'USD' | 'USDC' | 'CONTRACTS' | 'COLLATERAL' | 'CASH' | 'GBP'

export interface VenueCapabilities {
  /** `offers`: a CLOB whose levels are peers' own odds, rebuilt from the taker's side. */
  book: 'clob' | 'clob_or_amm' | 'offers' | 'emulated'
  /** `per-market`: only where the market itself is a CLOB. `degraded`: real, but not complete. */
  depth: 'yes' | 'no' | 'per-market' | 'degraded'
  /** A verified public trades tape; without one a trades read is 501 NOT_SUPPORTED. */
  tradesTape: boolean
  volume24h: { source: Volume24hSource; unit: Volume24hUnit } | false
  /** How old reads may be by the venue's own caching. */
  stalenessMs?: number
}

const venue = (unit: Volume24hUnit) => ({ source: 'venue', unit }) as const
const cumulative = (unit: Volume24hUnit) => ({ source: 'derived_cumulative', unit }) as const

export const venueCapabilities: Readonly<Record<ServedVenue | 'smarkets', VenueCapabilities>> = {
  polymarket: { book: 'clob', depth: 'yes', tradesTape: true, volume24h: venue('USD') },
  kalshi: { book: 'clob', depth: 'yes', tradesTape: true, volume24h: venue('CONTRACTS') },
  opinion: { book: 'clob', depth: 'yes', tradesTape: false, volume24h: venue('USD') },
  hyperliquid: { book: 'clob', depth: 'yes', tradesTape: true, volume24h: venue('USDC') },
  limitless: { book: 'clob', depth: 'per-market', tradesTape: true, volume24h: cumulative('USDC') },
  polymarket_us: { book: 'clob', depth: 'yes', tradesTape: false, volume24h: false, stalenessMs: 30_000 },
  sxbet: { book: 'offers', depth: 'degraded', tradesTape: true, volume24h: { source: 'derived_tape', unit: 'USD' } },
  myriad: { book: 'clob_or_amm', depth: 'per-market', tradesTape: true, volume24h: venue('USD') },
  gemini: { book: 'clob', depth: 'yes', tradesTape: true, volume24h: venue('CONTRACTS') },
  rain: { book: 'emulated', depth: 'no', tradesTape: false, volume24h: cumulative('COLLATERAL') },
  predictfun: { book: 'clob', depth: 'yes', tradesTape: true, volume24h: venue('USD') },
  pascal: { book: 'clob', depth: 'yes', tradesTape: true, volume24h: venue('USD') },
  xo: { book: 'clob', depth: 'yes', tradesTape: false, volume24h: false },
  pred: { book: 'clob', depth: 'yes', tradesTape: false, volume24h: cumulative('USD') },
  predictstreet: { book: 'clob', depth: 'yes', tradesTape: true, volume24h: venue('USD') },
  novig: { book: 'clob', depth: 'yes', tradesTape: false, volume24h: cumulative('CASH') },
  smarkets: { book: 'clob', depth: 'yes', tradesTape: true, volume24h: cumulative('GBP') },
}

const capabilities: Readonly<Record<string, VenueCapabilities | undefined>> = venueCapabilities

/** Null of a venue that nothing is known of. */
export const venueDepth = (venue: string): VenueCapabilities['depth'] | null => capabilities[venue]?.depth ?? null

/** Where no real book is behind the one shown: a price in the shape of a book. */
export const hasEmulatedBooks = (venue: string): boolean => capabilities[venue]?.book === 'emulated'

/** Whether every book of the venue is rebuilt from something else. Of single markets their `sourceMetadata.synthetic` says so. */
export function hasSyntheticBooks(venue: string): boolean {
  const book = capabilities[venue]?.book
  return book === 'emulated' || book === 'offers'
}

/** The one venue whose trades may be subscribed to with `filters`. */
export const tradeFilterVenue: ServedVenue = 'polymarket'

/** Venues whose folder stands under src/venues today. A convention test holds this to the folders and the registry. */
export const builtVenues = [
  'polymarket',
  'kalshi',
  'opinion',
  'gemini',
  'polymarket_us',
  'sxbet',
  'myriad',
  'hyperliquid',
  'pred',
  'predictfun',
  'predictstreet',
  'novig',
  'limitless',
  'pascal',
  'xo',
  'rain',
] as const satisfies readonly ServedVenue[]
export type BuiltVenue = (typeof builtVenues)[number]
