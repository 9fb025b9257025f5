// The hedges a related market offers for a market, side by side: which two answers cannot both lose.
import { z } from 'zod'
import type { MatchBand, MatchDifference, MatchRelation } from '#schemas/matches'

/** One contract of each side together pays `least` to `most`, in units of a full payout. */
export const Hedge = z
  .object({
    /** The hedged answer of the requested market. */
    held: z.enum(['yes', 'no']),
    /** The answer of the row's market that hedges it. */
    buy: z.enum(['yes', 'no']),
    least: z.literal(1),
    /** 2 when both may pay. */
    most: z.union([z.literal(1), z.literal(2)]),
  })
  .meta({ id: 'Hedge' })
export type Hedge = z.infer<typeof Hedge>

const hedge = (held: Hedge['held'], buy: Hedge['buy'], most: Hedge['most']): Hedge => ({ held, buy, least: 1, most })

/** By relation of the row's market to the requested one. Two answers hedge each other when at least one is always right. */
const table: Readonly<Record<MatchRelation, readonly Hedge[]>> = {
  identity: [hedge('yes', 'no', 1), hedge('no', 'yes', 1)],
  complement: [hedge('yes', 'yes', 1), hedge('no', 'no', 1)],
  subset: [hedge('yes', 'no', 2)],
  superset: [hedge('no', 'yes', 2)],
  disjoint: [hedge('no', 'no', 2)],
  overlap: [],
}

export const hedgesOf = (relation: MatchRelation): Hedge[] => [...table[relation]]

const follows: Readonly<Record<MatchRelation, string>> = {
  identity: 'both ask the same question',
  complement: 'YES here is NO of the requested market',
  subset: 'YES here implies YES of the requested market',
  superset: 'YES of the requested market implies YES here',
  disjoint: 'YES here and YES of the requested market exclude each other',
  overlap: 'nothing follows',
}

/** Differences with this few points do not make two questions. */
const noted = 26

/** The conclusion, whether it is certain, and if not, what is open. */
export function reasonOf(
  relation: MatchRelation,
  band: MatchBand | null,
  differences: readonly MatchDifference[],
): string {
  if (relation === 'overlap' && band !== null)
    return `nothing follows for certain; the two may be the same question (${band})`
  if (band === 'verified' || band === null) return follows[relation]
  const open = differences.filter(({ points }) => points < noted).map(({ detail }) => detail)
  const left = open.length === 0 ? 'the match behind it is not certain' : `unresolved: ${open.join('; ')}`
  return `${follows[relation]}, but not for certain; ${left}`
}
