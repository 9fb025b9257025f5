// The surface as one would first write it: objects, one sweep per leg of every row, doubles throughout, and JSON.stringify for its rows.
import type { ClusterInput, ClusterMember, PairFacts } from '#arbitrage/cluster'
import type { FeeModel } from '#arbitrage/fees'

export interface PeerBook {
  bids: { price: number; size: number }[]
  asks: { price: number; size: number }[]
  timestamp: number
  stale: boolean
}

interface PeerLeg {
  venue: string
  side: string
  executable: boolean
  reasons: string[]
  vwap: number | null
  cost: number
  fee: number
  filled: number
  fullyFilled: boolean
  timestamp: number
}

function fee(model: FeeModel, contracts: number, price: number): number {
  if (model.kind === 'kalshi_quadratic') return model.rate * model.multiplier * contracts * price * (1 - price)
  if (model.kind === 'polymarket_curve') return model.rate * contracts * (price * (1 - price)) ** model.exponent
  return 0
}

function leg(member: ClusterMember, book: PeerBook, side: 'yes' | 'no', contracts: number): PeerLeg {
  const levels = side === 'yes' ? book.asks : book.bids.map(({ price, size }) => ({ price: 1 - price, size }))
  let left = contracts
  let cost = 0
  let fees = 0
  for (const { price, size } of levels) {
    if (left <= 0) break
    const take = Math.min(left, size)
    cost += take * price
    fees += fee(member.fee, take, price)
    left -= take
  }
  const filled = contracts - left
  const reasons: string[] = []
  if (book.stale) reasons.push('stale_book')
  if (left > 0) reasons.push('insufficient_depth')
  if (member.fee.kind === 'kalshi_quadratic') fees = Math.ceil(fees * 100) / 100
  return {
    venue: member.venue,
    side,
    executable: reasons.length === 0,
    reasons,
    vwap: filled > 0 ? cost / filled : null,
    cost,
    fee: fees,
    filled,
    fullyFilled: left <= 0,
    timestamp: book.timestamp,
  }
}

export interface PeerRow {
  clusterId: string
  legs: { buyYes: PeerLeg; buyNo: PeerLeg }
  totalCost: number
  netEdge: number
  roi: number
  executable: boolean
  reasons: string[]
  label: string
  matchScore: number | null
  asOf: string
}

/** Every row of every cluster; one book per member. */
export function peerPass(
  clusters: readonly ClusterInput[],
  books: ReadonlyMap<string, PeerBook>,
  contracts: number,
  take: (row: PeerRow) => void,
): void {
  for (const { clusterId, members, pairs } of clusters) {
    for (const { a, b, matchScore, resolutionEquivalence } of pairs) {
      for (const [x, y] of [
        [a, b],
        [b, a],
      ]) {
        const yes = members.find(({ venue }) => venue === x)!
        const no = members.find(({ venue }) => venue === y)!
        take(row(clusterId, yes, no, books, contracts, matchScore, resolutionEquivalence))
      }
    }
  }
}

function row(
  clusterId: string,
  yes: ClusterMember,
  no: ClusterMember,
  books: ReadonlyMap<string, PeerBook>,
  contracts: number,
  matchScore: PairFacts['matchScore'],
  equivalence: string,
): PeerRow {
  const buyYes = leg(yes, books.get(yes.marketId)!, 'yes', contracts)
  const buyNo = leg(no, books.get(no.marketId)!, 'no', contracts)
  const totalCost = buyYes.cost + buyYes.fee + buyNo.cost + buyNo.fee
  const netEdge = contracts - totalCost
  const reasons = [...buyYes.reasons, ...buyNo.reasons]
  if (equivalence !== 'verified') reasons.push('resolution_not_verified')
  const executable = reasons.length === 0
  return {
    clusterId: `${clusterId}:${yes.venue}:${no.venue}`,
    legs: { buyYes, buyNo },
    totalCost,
    netEdge,
    roi: netEdge / totalCost,
    executable,
    reasons,
    label: executable && netEdge > 0 ? 'arbitrage' : 'indicative price discrepancy',
    matchScore,
    asOf: new Date(Math.min(buyYes.timestamp, buyNo.timestamp)).toISOString(),
  }
}
