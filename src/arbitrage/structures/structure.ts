// A structure in its public form: legs of one size that together pay more than they cost, however their markets end.
import { ONE } from '#core/price'
import type { MatchBand } from '../cluster.ts'
import { executabilityReasons } from '../flags.ts'
import { ratioMillionths } from '../row.ts'
import type { Relation } from './input.ts'
import { unitsPerContract } from './position.ts'
import { rankOf } from './premises.ts'
import type { FoundSet } from './search.ts'

/**
 * By what carries it, besides equal and inverse markets; an `equality` rests on these alone, or on nothing if both answers of one market are bought.
 */
export type StructureKind = 'equality' | 'implication' | 'exclusion' | 'partition' | 'ladder' | 'combination'

export interface StructureLeg {
  /** `<venue>:<marketId>` */
  market: string
  venue: string
  /** The outcome of the venue that is bought. */
  side: 'yes' | 'no'
  contracts: number
  /** Dollars. */
  cost: number
  fee: number
  /** Dollars if its answer is true, less settlement costs. */
  payout: number
  /** The worst price taken, on the market's tick. */
  limitPrice: number
  executable: boolean
  reasons: string[]
  /** ISO time of its book, null when unknown. */
  asOf: string | null
}

export interface Structure {
  kind: StructureKind
  legs: StructureLeg[]
  /** Of every leg. */
  contracts: number
  /** Dollars that the worst consistent world pays. */
  worstPayout: number
  /** Dollars for all legs, fees included. */
  capital: number
  /** worstPayout minus capital. */
  edge: number
  /** edge ÷ capital. */
  roi: number
  /** Relations without which some world would pay less. */
  relations: { id: string; kind: Relation['kind']; band: MatchBand; reason: string | null }[]
  weakest: { id: string; band: MatchBand } | null
  /** Every leg can be bought now at this size, and every relation is `verified`. */
  executable: boolean
  reasons: string[]
  /** ISO time of the oldest book, null when one is unknown. */
  asOf: string | null
}

const usd = (micros: number): number => micros / ONE
const iso = (epochMs: number | null): string | null => (epochMs === null ? null : new Date(epochMs).toISOString())

export function structureOf(found: FoundSet, relations: readonly Relation[]): Structure {
  const contracts = found.units / unitsPerContract
  const legs = found.positions.map(({ market, side, flags, asOf }, index): StructureLeg => {
    const { cost, fee, win, limitMicros } = found.quotes[index]!
    return {
      market: market.key,
      venue: market.venue,
      side,
      contracts,
      cost: usd(cost),
      fee: usd(fee),
      payout: usd(win),
      limitPrice: usd(limitMicros),
      executable: flags === 0,
      reasons: executabilityReasons(flags),
      asOf: iso(asOf),
    }
  })
  const capital = found.pays - found.edge
  const reasons = [
    ...legs.flatMap(({ market, side, reasons }) => reasons.map((word) => `${market}:${side}:${word}`)),
    ...(relations.some(({ band }) => band !== 'verified') ? ['relation_not_verified'] : []),
  ]
  const weakest = relations.reduce<Relation | null>(
    (least, each) => (least === null || rankOf(each.band) > rankOf(least.band) ? each : least),
    null,
  )
  const times = found.positions.map(({ asOf }) => asOf)
  return {
    kind: kindOf(relations),
    legs,
    contracts,
    worstPayout: usd(found.pays),
    capital: usd(capital),
    edge: usd(found.edge),
    roi: usd(ratioMillionths(found.edge, capital)),
    relations: relations.map(({ id, kind, band, reason = null }) => ({ id, kind, band, reason })),
    weakest: weakest === null ? null : { id: weakest.id, band: weakest.band },
    executable: reasons.length === 0,
    reasons,
    asOf: iso(times.reduce((oldest, at) => (oldest === null || at === null ? null : Math.min(oldest, at)))),
  }
}

/** Structures that buy the same answers are the same. */
export const structureKey = ({ legs }: Structure): string =>
  legs
    .map(({ market, side }) => `${market} ${side}`)
    .sort()
    .join('\n')

function kindOf(relations: readonly Relation[]): StructureKind {
  const carrying = relations.filter(({ kind }) => kind !== 'same' && kind !== 'inverse')
  const [first] = carrying
  if (first === undefined) return 'equality'
  if (carrying.every(({ kind }) => kind === 'a_implies_b' || kind === 'b_implies_a')) return 'implication'
  if (carrying.every(({ kind }) => kind === 'exclusive')) return 'exclusion'
  if (carrying.length > 1 || first.kind !== 'outcomes') return 'combination'
  return first.members.every(({ side }) => side === 'yes') ? 'partition' : 'ladder'
}

/** Payoffs of a group's positions, for determining which relations carry it. */
export const payingOutcomes = ({ positions, quotes }: FoundSet): { literal: number; win: number }[] =>
  positions.map(({ literal }, index) => ({ literal, win: quotes[index]!.win }))
