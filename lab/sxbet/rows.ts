// Sxbet's objects: markets, aggregated offers, public bets. Money is in base units of six decimals, odds in 1e-20.
import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import { digestHex } from '../prng.ts'
import type { SxbetMarket } from './marketGenerator.ts'

const micro = 1_000_000
const oddsUnitsPerMicro = 100_000_000_000_000n

export const oddsText = (micros: number): string => String(BigInt(micros) * oddsUnitsPerMicro)

/** The buyer's cost of this many contracts: whole units, since sizes are hundredths and prices cents. */
const stakeText = (contracts: number, micros: number): string => String(Math.round(contracts * 100) * (micros / 100))

export function marketRow({ catalog, event, marketHash }: SxbetMarket, live: EngineMarket) {
  const { isGame } = event
  const settled = live.status === 'resolved'
  const start = Math.floor((event.catalog.startMs ?? event.catalog.endMs) / 1_000)
  const league = isGame ? event.catalog.series[1] : event.catalog.title
  const field = isGame ? catalog.opposite : 'The Field'
  return {
    status: live.status === 'open' ? 'ACTIVE' : 'INACTIVE',
    marketHash,
    outcomeOneName: catalog.label,
    outcomeTwoName: field,
    outcomeVoidName: 'NO_CONTEST',
    teamOneName: catalog.label,
    teamTwoName: field,
    type: isGame ? 226 : 274,
    gameTime: start,
    sportXeventId: event.sportXeventId,
    liveEnabled: isGame,
    sportLabel: event.catalog.category,
    sportId: event.sportId,
    leagueId: event.leagueId,
    leagueLabel: league,
    mainLine: true,
    isQuarterLineMarket: false,
    group1: league,
    ...(settled ? { outcome: live.result === 'yes' ? 1 : 2, reportedDate: Math.floor(live.statusAtMs / 1_000) } : {}),
  }
}

/** A bid for side one at p is a maker's bet on it at p; an ask at p is a maker's bet on side two at 1 − p. */
export function bookRow(marketHash: string, { bids, asks }: MarketTruth, version: string) {
  const offer = (micros: number, contracts: number) => ({
    percentageOdds: oddsText(micros),
    size: stakeText(contracts, micros),
  })
  return {
    marketHash,
    version,
    outcomeOne: bids.map(([price, size]) => offer(price, size)),
    outcomeTwo: asks.map(([price, size]) => offer(micro - price, size)),
  }
}

export function tradeRow({ catalog, event, marketHash }: SxbetMarket, trade: LabTrade) {
  const own = trade.takerBuysYes ? trade.priceMicros : micro - trade.priceMicros
  return {
    tradeId: `0x${digestHex(`sxbet/${marketHash}/${trade.ordinal}`)}`,
    marketHash,
    eventId: event.sportXeventId,
    isBettingOutcomeOne: trade.takerBuysYes,
    outcomeLabel: trade.takerBuysYes ? catalog.label : event.isGame ? catalog.opposite : 'The Field',
    totalStake: stakeText(trade.size, own),
    totalReturn: String(Math.round(trade.size * micro)),
    weightedAverageOdds: oddsText(own),
    betTime: new Date(trade.atMs).toISOString(),
    status: 'LOCKED',
    isParlay: false,
  }
}
