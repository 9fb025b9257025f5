// Wallet scores, version w1: docs/trader-scores.md explains each number. Pure; the same record gives the same score at any time.
import type { WalletFactors } from '#schemas/traders'
import { normalShare } from './normal.ts'
import type { MarketResult } from './result.ts'

/** Minimum settled markets for a score. */
export const settledMin = 5
/**
 * Weight of the prior: this many settled markets at even odds, in which the wallet only matched its prices. It follows from how far wallets
 * differ: log odds of their entries with a standard deviation of 0.28, which is seven points at even odds.
 */
export const priorMarkets = 50
/** Information of one market at even odds, p (1 − p). */
const evenOdds = 0.25
const priorInformation = priorMarkets * evenOdds
const priorEdge = 1 / Math.sqrt(priorInformation)
/** Prior number of equal-sized bets. */
const priorHands = 5
/** A usual stake of this many USD scores 0, 10^4 times as much 100. */
const scaleFromUsd = 10
const scaleDecades = 4

export const weights = { trackRecord: 0.7, experience: 0.1, scale: 0.1, discipline: 0.1 } as const

/** Sums over the settled markets of a wallet. */
export interface WalletRecord {
  settled: number
  won: number
  /** Sums of `surprise` and `information` of the markets, millionths. */
  surprise: number
  information: number
  /** Sum of the stakes, and of their squares; millionths of the collateral, and of its square. */
  stake: number
  stakeSquared: number
  /** False: the collateral is not known to be worth a dollar. */
  inUsd: boolean
}

export const emptyRecord = (inUsd = true): WalletRecord => ({
  settled: 0,
  won: 0,
  surprise: 0,
  information: 0,
  stake: 0,
  stakeSquared: 0,
  inUsd,
})

/** The record with one more market. */
export const withMarket = (record: WalletRecord, market: MarketResult): WalletRecord => ({
  ...record,
  settled: record.settled + 1,
  won: record.won + (market.result > 0 ? 1 : 0),
  surprise: record.surprise + market.surprise,
  information: record.information + market.information,
  stake: record.stake + market.stake,
  stakeSquared: record.stakeSquared + market.stake * market.stake,
})

export interface WalletScore {
  /** 0 to 100 in tenths; null below the smallest sample. */
  score: number | null
  factors: WalletFactors | null
}

export function walletScore(record: WalletRecord): WalletScore {
  if (record.settled < settledMin) return { score: null, factors: null }
  const factors = {
    trackRecord: tenths(trackRecord(record)),
    experience: tenths(experience(record)),
    scale: record.inUsd ? tenths(scale(record)) : null,
    discipline: tenths(discipline(record)),
  }
  return { score: weighted(factors, weights), factors }
}

/** Log odds by which the wallet beats the prices it takes, shrunk towards zero when little is known. */
export const edgeOf = ({ surprise, information }: WalletRecord): number =>
  surprise / 1_000_000 / (information / 1_000_000 + priorInformation)

const trackRecord = (record: WalletRecord): number => 100 * normalShare(edgeOf(record) / priorEdge)

/** The share of `edgeOf` that comes from the wallet's own trades. */
const experience = ({ information }: WalletRecord): number =>
  (100 * information) / (information + priorInformation * 1_000_000)

function scale({ stake, settled }: WalletRecord): number {
  const usual = stake / settled / 1_000_000
  return usual <= scaleFromUsd ? 0 : Math.min(100, (100 * Math.log10(usual / scaleFromUsd)) / scaleDecades)
}

/** Equal stakes: as many bets as markets. One stake that outweighs all others: one bet. */
function discipline({ settled, stake, stakeSquared }: WalletRecord): number {
  const bets = (stake * stake) / stakeSquared
  return (100 * Math.min(settled + priorHands, bets + priorHands)) / (settled + 2 * priorHands)
}

export const tenths = (value: number): number => Math.round(Math.min(100, Math.max(0, value)) * 10) / 10

/** Mean of the known values. */
export function weighted<Name extends string>(
  factors: Readonly<Record<Name, number | null>>,
  weightOf: Readonly<Record<Name, number>>,
): number {
  let [sum, weight] = [0, 0]
  for (const name of Object.keys(weightOf) as Name[]) {
    const value = factors[name]
    if (value === null) continue
    sum += value * weightOf[name]
    weight += weightOf[name]
  }
  return tenths(sum / weight)
}
