// Maps offers and bets to our types. Pure. The derivation is in the README, with a worked example.
//
// A maker who bets on X at p has staked S and gets S / p if X happens. The taker of the offer bets on the other side, pays 1 − p for each dollar
// of that payout, and gets the same S / p if X does not happen. So an offer on side one is a bid for side one at p, an offer on side two is an ask
// for side one at 1 − p, and both are S / p contracts of one dollar.

import { ONE } from '#core/price'
import type { Trade } from '#schemas/marketData'
import { complement, levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { probabilityOf, timeOf } from '../../shared/data/parsers.ts'
import { otherSide } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import { idsOf } from '../ids.ts'
import type { SxbetBook, SxbetTrade } from '../wire.ts'

/** `oddsLadderStepSize` 125 of 1e-5, on both of the venue's networks. */
export const tickMicros = 1_250

/** Odds are in 1e-20. */
const unitsPerMicro = 100_000_000_000_000n

/** Null off the grid of millionths: the ladder's steps are all on it. */
function oddsMicros(odds: string): number | null {
  const units = BigInt(odds)
  return units % unitsPerMicro === 0n ? Number(units / unitsPerMicro) : null
}

/** A stake of six decimals over its price: contracts. A single division of two integers, so that whole contracts stay whole. */
const contracts = (stake: string, micros: number): number => Number(stake) / micros

const offers = (rows: SxbetBook['outcomeOne']): SnapshotLevel[] | null =>
  levelsOf(
    rows,
    ({ percentageOdds, size }) => {
      const micros = oddsMicros(percentageOdds)
      return [micros, micros === null || micros === 0 ? null : contracts(size, micros)]
    },
    'summed',
  )

/** The book of side one; null when an offer cannot be read. It has no time of its own. */
export function normalizeBook(raw: SxbetBook, recvTs: number): BookSnapshot | null {
  const others = offers(raw.outcomeTwo)
  const sides = { bids: offers(raw.outcomeOne), asks: others === null ? null : complement(others) }
  return snapshotOf(raw.marketHash, sides, recvTs, { tickMicros })
}

/** Failed bets, and those with combined odds of several markets, are not trades of this one. */
export const isTrade = ({ status, isParlay }: Pick<SxbetTrade, 'status' | 'isParlay'>): boolean =>
  status !== 'FAILED' && isParlay !== true

/**
 * From the perspective of the requested outcome: a bet on the other side sells this one. The price is an average over the offers taken, to
 * the millionth. Null: unreadable.
 */
export function normalizeTrade(raw: SxbetTrade, outcomeId: string): Trade | null {
  const odds = Number(raw.weightedAverageOdds) / Number(unitsPerMicro)
  const timestamp = timeOf(raw.betTime)
  if (!(odds > 0 && odds < ONE) || timestamp === null) return null
  const isOther = raw.isBettingOutcomeOne === (outcomeId === idsOf(raw.marketHash)[1])
  const micros = Math.round(odds)
  return {
    id: raw.tradeId,
    timestamp,
    price: probabilityOf(isOther ? ONE - micros : micros),
    amount: contracts(raw.totalStake, odds),
    side: isOther ? otherSide('buy') : 'buy',
    outcomeId,
  }
}
