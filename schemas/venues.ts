// Which venues exist and what data they have. The specification's capability table as data: facts, no behaviour.

/** Venues served by the data API, in the specification's order. */
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

/** Every request for these returns 404 EXCHANGE_NOT_AVAILABLE, and router fan-outs skip them. */
export const disabledVenues = ['smarkets', 'predictit'] as const

/**
 * Paper data only: never in public lists, router results or cross-venue outputs. Not part of `all` venues: an operator must name them.
 */
export const sandboxVenues = ['kalshi-demo'] as const

const [dark, sandbox]: ReadonlySet<string>[] = [new Set(disabledVenues), new Set(sandboxVenues)] as const
export const isDark = (venue: string): boolean => dark.has(venue)
export const isSandbox = (venue: string): boolean => sandbox.has(venue)

/** Allowed in the `{venue}` segment of execution routes, in the specification's order, whether or not a lane exists. */
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

/** Also accepted by the status refresh, and by nothing else. */
export const refreshedVenues = ['sxbet'] as const
export type RefreshedVenue = (typeof refreshedVenues)[number]
export type QueriedVenue = ExecutionVenue | RefreshedVenue

/** Venues that settle on a chain: holders redeem their resolved shares themselves. */
export const settlementVenues = [
  'limitless',
  'opinion',
  'predictfun',
  'myriad',
  'rain',
  'polymarket',
] as const satisfies readonly ExecutionVenue[]

/** Symbols of what each venue's markets are paid in; null: not documented. Single markets of Myriad and Rain may have another token. */
export const venueCurrencies: Readonly<Record<QueriedVenue, readonly string[] | null>> = {
  hyperliquid: ['USDC', 'USDH'],
  kalshi: ['USD'],
  limitless: ['USDC'],
  opinion: ['USDT'],
  polymarket: ['pUSD', 'USDC.e'],
  polymarket_us: ['USD'],
  predictfun: ['USDT'],
  pascal: ['USDC', 'USD'],
  xo: null,
  gemini: ['USD'],
  pred: ['USDC', 'USD'],
  rain: ['USDT', 'USD₮0', 'RAIN'],
  myriad: ['USDT', 'USD1', 'USDC.e'],
  predictstreet: ['USDC'],
  novig: ['CASH'],
  sxbet: ['USDC'],
}

export type ServedVenue = (typeof servedVenues)[number]
export type DisabledVenue = (typeof disabledVenues)[number]
export type SandboxVenue = (typeof sandboxVenues)[number]
export type VenueSlug = ServedVenue | DisabledVenue | SandboxVenue

/** Venue keys already in use by clients of the same API family. */
export const venueAliases: ReadonlyMap<string, VenueSlug> = new Map([['gemini-titan', 'gemini']])

/**
 * Resolves a venue as a caller wrote it, in any case and by any of its names. Every venue parameter goes through this.
 */
export function canonicalVenue(name: string): string {
  const lower = name.toLowerCase()
  return venueAliases.get(lower) ?? lower
}

/** An id without its own venue in front. Another venue's name in front stays. */
export function withoutVenue(venue: string, id: string): string {
  const colon = id.indexOf(':')
  const isQualified = colon > 0 && colon < id.length - 1 && canonicalVenue(id.slice(0, colon)) === venue
  return isQualified ? id.slice(colon + 1) : id
}

export type Volume24hSource = 'venue' | 'derived_cumulative' | 'derived_tape'
export type Volume24hUnit = 'USD' | 'USDC' | 'CONTRACTS' | 'COLLATERAL' | 'CASH' | 'GBP'

export interface VenueCapabilities {
  /** `offers`: a CLOB whose levels are peers' own odds, converted to the taker's side. */
  book: 'clob' | 'clob_or_amm' | 'offers' | 'emulated'
  /** `per-market`: only for markets that are CLOBs themselves. `degraded`: real but incomplete. */
  depth: 'yes' | 'no' | 'per-market' | 'degraded'
  /** A verified public trades tape; without one a trades read is 501 NOT_SUPPORTED. */
  tradesTape: boolean
  volume24h: { source: Volume24hSource; unit: Volume24hUnit } | false
  /** How old reads may be because the venue caches. */
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

/** Null for unknown venues. */
export const venueDepth = (venue: string): VenueCapabilities['depth'] | null => capabilities[venue]?.depth ?? null

/** Whether the book shown has no real book behind it: a price in the shape of a book. */
export const hasEmulatedBooks = (venue: string): boolean => capabilities[venue]?.book === 'emulated'

/** Whether every book of the venue is derived from something else. For single markets, `sourceMetadata.synthetic` says so. */
export function hasSyntheticBooks(venue: string): boolean {
  const book = capabilities[venue]?.book
  return book === 'emulated' || book === 'offers'
}

/** Venues whose live feed brings books and no trades: those are read over REST. A convention test compares this with the manifests. */
export const booksOnlyFeeds = [
  'polymarket_us',
  'opinion',
  'limitless',
  'predictfun',
  'myriad',
  'pascal',
  'xo',
] as const satisfies readonly ServedVenue[]

/** The only venue whose trades can be subscribed to with `filters`. */
export const tradeFilterVenue: ServedVenue = 'polymarket'

/** Venues with a folder under src/venues. A convention test compares this with the folders and the registry. */
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
