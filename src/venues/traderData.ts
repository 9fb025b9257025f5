// What a venue publishes about its traders, holders and leaders. As everywhere in a manifest, absence means no support: whatever a venue does not
// name here is refused, and a venue whose trades are read here is in the scored feed.
import type { Market } from '#schemas/market'
import type { LeaderboardWindow, NativeLeader, TraderHolder, TraderTrade, WalletStats } from '#schemas/traders'
import type { VenueContext } from './venueContext.ts'

/** Start of a page: what the venue's own function returned with the previous one, null for the first. Survives JSON. */
export type TradersPlace = string | number | Readonly<Record<string, string | number>>

export interface TradersPage {
  /** 1 to 100. */
  limit: number
  after: TradersPlace | null
}

/** Data that may have been read for an earlier request. */
interface Kept {
  /** When, epoch ms; absent when read now. */
  keptSince?: number
}

export interface TradersPageOf<T> extends Kept {
  rows: T[]
  /** Null on the last page. */
  next: TradersPlace | null
}

/** A wallet as the venue itself shows it. */
export interface WalletProfile extends Kept {
  displayName: string | null
  stats: WalletStats
}

export interface VenueTraders {
  /** Pure. A wallet in the venue's own spelling; null for an invalid one. */
  walletOf(text: string): string | null
  /** For readers, in sentences: what these rows are, and what they are not. */
  notes: readonly string[]
  /** Missing operator configuration without which none of it can be read, as text; null when complete. */
  missing?(context: Pick<VenueContext, 'urls' | 'credentials'>): string | null
  /** Its trades name no wallet: our record has nothing to store from them. */
  hasAnonymousTrades?: true
  /** A wallet's trades name their markets differently than the catalog: it resolves them by their outcomes. */
  marketByOutcome?: true
  /** Wallet figures that the venue itself reports. They always come from the venue; the record's never replace them. */
  walletFields?: readonly (keyof WalletStats)[]
  /** Newest first. */
  fetchTrades?(context: VenueContext, market: Market, page: TradersPage): Promise<TradersPageOf<TraderTrade>>
  /** Largest first. */
  fetchHolders?(context: VenueContext, market: Market, limit: number): Promise<TraderHolder[]>
  leaderboard?: VenueLeaderboard
  /** Null: the venue knows no such wallet. */
  fetchWallet?(context: VenueContext, wallet: string): Promise<WalletProfile | null>
  /** Newest first; an empty first page means that no trader there has this name. */
  fetchWalletTrades?(context: VenueContext, wallet: string, page: TradersPage): Promise<TradersPageOf<TraderTrade>>
}

export type NativeRanking = 'profit' | 'volume'

export interface VenueLeaderboard {
  /** Windows of each ranking; an absent ranking is not available. `score`: ours, in addition to the venue's. */
  windows: Readonly<Partial<Record<NativeRanking | 'score', readonly LeaderboardWindow[]>>>
  /** Best first. `asOf`: when the venue was read, epoch ms. */
  fetch(
    context: VenueContext,
    query: { by: NativeRanking; window: LeaderboardWindow; limit: number },
  ): Promise<{ rows: NativeLeader[]; asOf: number }>
  /** Timeout for the venue, ms; defaults to the usual one. */
  timeoutMs?: number
}

/** What can be read, derived from the functions present. */
export const traderAbilities = ({
  fetchTrades,
  fetchHolders,
  leaderboard,
  fetchWallet,
  fetchWalletTrades,
}: VenueTraders) => ({
  trades: fetchTrades !== undefined,
  holders: fetchHolders !== undefined,
  leaderboard: leaderboard?.windows ?? null,
  wallet: fetchWallet !== undefined,
  walletTrades: fetchWalletTrades !== undefined,
})

/** Whether our own record can see who trades there. */
export const isStreamed = ({ traders }: { traders?: VenueTraders | undefined }): boolean =>
  traders?.fetchTrades !== undefined
