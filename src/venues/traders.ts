// What a venue publishes about who trades, holds and leads there. Absence is the capability, as everywhere in a manifest: whatever a venue does not
// name here is refused, and a venue whose trades are read here is in the scored feed.
import type { Market } from '#schemas/market'
import type { LeaderboardWindow, NativeLeader, TraderHolder, TraderTrade, WalletStats } from '#schemas/traders'
import type { VenueContext } from './venue.ts'

/** Where a page begins: what the venue's own function gave with the page before, null for the first. Survives JSON. */
export type TradersPlace = string | number | Readonly<Record<string, string | number>>

export interface TradersPage {
  /** 1 to 100. */
  limit: number
  after: TradersPlace | null
}

/** What may have been read for an earlier question. */
interface Kept {
  /** When, epoch ms; absent where it was asked now. */
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
  /** Pure. A wallet in the venue's own spelling; null for what cannot be one. */
  walletOf(text: string): string | null
  /** For readers, in sentences: what these rows are, and what they are not. */
  notes: readonly string[]
  /** What the operator has not configured and none of it can be read without, in words; null when all is there. */
  missing?(context: Pick<VenueContext, 'urls' | 'credentials'>): string | null
  /** Its trades name no wallet: in them is nothing that our record could keep. */
  namesNobody?: true
  /** A wallet's trades name their markets otherwise than the catalog does: it is asked which they are, by their outcomes. */
  marketByOutcome?: true
  /** Figures of a wallet that the venue tells itself. They are its own wherever a wallet is told: the record's stand in for none of them. */
  tellsOfWallets?: readonly (keyof WalletStats)[]
  /** Newest first. */
  fetchTrades?(context: VenueContext, market: Market, page: TradersPage): Promise<TradersPageOf<TraderTrade>>
  /** Largest first. */
  fetchHolders?(context: VenueContext, market: Market, limit: number): Promise<TraderHolder[]>
  leaderboard?: VenueLeaderboard
  /** Null: the venue knows no such wallet. */
  fetchWallet?(context: VenueContext, wallet: string): Promise<WalletProfile | null>
  /** Newest first; none on the first page: nobody there trades under this name. */
  fetchWalletTrades?(context: VenueContext, wallet: string, page: TradersPage): Promise<TradersPageOf<TraderTrade>>
}

export type NativeRanking = 'profit' | 'volume'

export interface VenueLeaderboard {
  /** Windows of each ranking; a ranking that is absent there is none of. `score`: of ours, beside the venue's. */
  windows: Readonly<Partial<Record<NativeRanking | 'score', readonly LeaderboardWindow[]>>>
  /** Best first. `asOf`: when the venue was asked, epoch ms. */
  fetch(
    context: VenueContext,
    query: { by: NativeRanking; window: LeaderboardWindow; limit: number },
  ): Promise<{ rows: NativeLeader[]; asOf: number }>
  /** The venue gets this long, ms; the usual where nothing is said. */
  timeoutMs?: number
}

/** What is told, read off the functions that are there. */
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
export const isInFeed = ({ traders }: { traders?: VenueTraders | undefined }): boolean =>
  traders?.fetchTrades !== undefined
