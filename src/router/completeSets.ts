// Buying an answer through a complete set: when exactly one outcome of an event comes true, all other outcomes together are worth the opposite of one.
import type { Relation } from '#arbitrage/structures/input'
import { type EqualMarket, opposite } from './equalMarkets.ts'
import { keyOf, type MarketName, nameOf } from './ports.ts'

/** Orders of one such purchase. */
const partsMax = 12

export interface CompleteSet {
  /** The market that it replaces. */
  instead: MarketName
  parts: EqualMarket[]
}

/** Sets that are worth one of these answers; no market is in two of them. */
export function completeSetsFor(answers: readonly EqualMarket[], relations: readonly Relation[]): CompleteSet[] {
  const used = new Set(answers.map(keyOf))
  const sets: CompleteSet[] = []
  for (const answer of answers) {
    for (const relation of relations) {
      const parts = partsOf(answer, relation)
      if (parts === null || parts.some((part) => used.has(keyOf(part)))) continue
      for (const part of parts) used.add(keyOf(part))
      sets.push({ instead: { venue: answer.venue, marketId: answer.marketId }, parts })
      break
    }
  }
  return sets
}

function partsOf(answer: EqualMarket, relation: Relation): EqualMarket[] | null {
  if (relation.kind !== 'outcomes' || !relation.complete || relation.band !== 'verified') return null
  const own = relation.members.find(({ market }) => market === keyOf(answer))
  if (own === undefined || own.side !== opposite(answer.side)) return null
  const parts = relation.members.filter((member) => member !== own)
  if (parts.length < 2 || parts.length > partsMax) return null
  return parts.map(({ market, side }) => ({ ...nameOf(market), side }))
}
