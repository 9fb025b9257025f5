// Which venue a request goes to. A capability missing from the manifest is refused before any other check.
import { Fault } from '#core/fault'
import type { Principal } from '#platform/auth/principal'
import { isSandbox } from '#schemas/venues'
import { isStreamed, type VenueTraders } from '#venues/traderData'
import type { TraderVenue } from './ports.ts'

type Venues = ReadonlyMap<string, TraderVenue>

/** On behalf of `principal`. Unknown and disabled venues answer alike. */
export function venueOf(venues: Venues, slug: string, principal: Principal | null = null): TraderVenue {
  const venue = venues.get(slug)
  if (venue === undefined) throw new Fault('EXCHANGE_NOT_AVAILABLE', 'this exchange is not available here')
  return principal === null ? venue : { ...venue, account: principal.accountId }
}

const words = {
  fetchTrades: 'trades with who made them',
  fetchHolders: 'holders',
  leaderboard: 'leaderboard',
  fetchWallet: 'profiles of wallets',
  fetchWalletTrades: 'public history of wallets',
} as const satisfies Partial<Record<keyof VenueTraders, string>>
export type Verb = keyof typeof words

export const unsupported = (slug: string, message: string): Fault =>
  new Fault('TRADERS_UNSUPPORTED', message, { exchange: slug })

export type TraderCapabilities<V extends Verb> = VenueTraders & Required<Pick<VenueTraders, V>>

/** The venue's function for this. Throws TRADERS_UNSUPPORTED. */
export function supports<V extends Verb>({ slug, traders }: TraderVenue, verb: V): TraderCapabilities<V> {
  if (traders?.[verb] === undefined) throw unsupported(slug, `${slug} has no ${words[verb]}`)
  return traders as TraderCapabilities<V>
}

/** Missing operator configuration, checked before the venue is queried. */
export function requireTraderData({ slug, context }: TraderVenue, { missing }: VenueTraders): void {
  const why = missing?.(context) ?? null
  if (why !== null) throw unsupported(slug, why)
}

/** The ones whose trades our record can see. */
export const feedVenues = (venues: Venues): string[] =>
  [...venues.values()].filter((venue) => isStreamed(venue) && !isSandbox(venue.slug)).map(({ slug }) => slug)

/** In the venue's own spelling. Text that cannot be one of its wallets is unknown. */
export function walletOf({ slug, traders }: TraderVenue, text: string): string {
  const wallet = traders?.walletOf(text) ?? null
  if (wallet === null) throw noSuchTrader(slug)
  return wallet
}

export const noSuchTrader = (slug: string): Fault =>
  new Fault('TRADER_NOT_FOUND', 'no such wallet is known', { exchange: slug })
