// Trader intelligence: trades, holders, leaderboards and wallet scores. Null means unproven.
import { z } from 'zod'
import { labMark } from './envelope.ts'

/** Version of wallet scores and trade scores. Formulas: docs/trader-scores.md. */
export const walletScoreVersion = 'w1'
export const tradeScoreVersion = 't1'

export const walletCategories = ['bot', 'whale', 'smart', 'fresh', 'fish'] as const
export const TraderProvenance = z
  .object({ source: z.enum(['archive', 'venue-rest']), ...labMark })
  .meta({ id: 'TraderProvenance' })

export const WalletCategory = z.enum(walletCategories).meta({ id: 'WalletCategory' })
export type WalletCategory = z.infer<typeof WalletCategory>

export const leaderboardWindows = ['day', 'week', 'month', 'all'] as const
export const LeaderboardWindow = z.enum(leaderboardWindows).meta({ id: 'LeaderboardWindow' })
export type LeaderboardWindow = z.infer<typeof LeaderboardWindow>

/** 0 to 100. */
export const Score = z.number().min(0).max(100)

export const TraderTrade = z
  .object({
    venue: z.string(),
    marketId: z.string(),
    outcomeId: z.string().nullable(),
    tradeId: z.string(),
    /** Epoch ms. */
    ts: z.number().int(),
    /** Address or id as the venue writes it; unique within the venue. Null: the venue does not identify the trader. */
    wallet: z.string().nullable(),
    /** The venue's public display name. */
    displayName: z.string().optional(),
    /** Side of this wallet. Null: not reported. */
    side: z.enum(['buy', 'sell']).nullable(),
    /** Probability of the outcome. */
    price: z.number().nullable(),
    /** Shares or contracts; tokens on venues that count in tokens. */
    amount: z.number().nullable(),
    /** USD paid or received. Null when the payload does not prove it. */
    usdSize: z.number().nullable(),
  })
  .meta({ id: 'TraderTrade' })
export type TraderTrade = z.infer<typeof TraderTrade>

export const TraderHolder = z
  .object({
    wallet: z.string(),
    displayName: z.string().optional(),
    outcomeId: z.string(),
    shares: z.number(),
    usdValue: z.number().nullable(),
  })
  .meta({ id: 'TraderHolder' })
export type TraderHolder = z.infer<typeof TraderHolder>

export const NativeLeader = z
  .object({
    venue: z.string(),
    wallet: z.string(),
    displayName: z.string().optional(),
    /** From 1, by the venue's own ranking. */
    rank: z.number().int().min(1),
    window: LeaderboardWindow,
    profitUsd: z.number().nullable(),
    volumeUsd: z.number().nullable(),
  })
  .meta({ id: 'NativeLeader' })
export type NativeLeader = z.infer<typeof NativeLeader>

/** Each 0 to 100; null when there is too little data. */
export const WalletFactors = z
  .object({
    trackRecord: Score.nullable(),
    experience: Score.nullable(),
    scale: Score.nullable(),
    discipline: Score.nullable(),
  })
  .meta({ id: 'WalletFactors' })
export type WalletFactors = z.infer<typeof WalletFactors>

export const TradeFactors = z
  .object({
    walletScore: Score.nullable(),
    size: Score.nullable(),
    entry: Score.nullable(),
    timing: Score.nullable(),
  })
  .meta({ id: 'TradeFactors' })
export type TradeFactors = z.infer<typeof TradeFactors>

export const WalletStats = z
  .object({
    /** Since `firstSeen`. */
    walletAgeDays: z.number().nullable(),
    marketsTraded: z.number().int().nullable(),
    totalVolumeUsd: z.number().nullable(),
    /** Over settled markets, 0 to 1. */
    winRate: z.number().min(0).max(1).nullable(),
    realizedPnlUsd: z.number().nullable(),
    firstSeen: z.iso.datetime().nullable(),
    lastSeen: z.iso.datetime().nullable(),
    depositFirstAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WalletStats' })
export type WalletStats = z.infer<typeof WalletStats>

/**
 * `current`: the roll-up has read everything kept. `stale`: it is behind. `pending`: the wallet is known but not scored yet. `live`:
 * nothing is kept of it; read from the venue for this request.
 */
export const refreshStates = ['current', 'stale', 'pending', 'live'] as const
export const RefreshState = z.enum(refreshStates)
export type RefreshState = z.infer<typeof RefreshState>

export const TraderScore = z
  .object({
    venue: z.string(),
    wallet: z.string(),
    displayName: z.string().nullable(),
    score: Score.nullable(),
    scoreVersion: z.literal(walletScoreVersion).nullable(),
    factors: WalletFactors.nullable(),
    category: WalletCategory.nullable(),
    stats: WalletStats,
    /** When the score was last computed; null when there is none. */
    refreshedAt: z.iso.datetime().nullable(),
    refreshState: RefreshState,
    asOf: z.iso.datetime(),
    /** `archive`: our own record. `venue-rest`: the venue, for this request. */
    provenance: TraderProvenance,
    /** Why a field is null. */
    note: z.string().optional(),
  })
  .meta({ id: 'TraderScore' })
export type TraderScore = z.infer<typeof TraderScore>

export const SmartMoneyTrade = TraderTrade.extend({
  wallet: z.string(),
  tradeScore: Score,
  tradeFactors: TradeFactors,
  /** Of `tradeScore` and `tradeFactors`. */
  scoreVersion: z.literal(tradeScoreVersion),
  /** The wallet's score when the trade was recorded; never recomputed. */
  walletScoreAtTrade: Score.nullable(),
  categoryAtTrade: WalletCategory.nullable(),
}).meta({ id: 'SmartMoneyTrade' })
export type SmartMoneyTrade = z.infer<typeof SmartMoneyTrade>
