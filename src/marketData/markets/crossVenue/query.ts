// Arguments of the cross-venue verbs: which markets or events, which relations, and how many rows.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { type MatchRelation, matchRelations } from '#schemas/matches'
import { Id, Limit, Text } from '../fields.ts'

export const matchesLimitDefault = 50
/** Larger values are accepted and clamped; `meta.limit` reports it. */
export const matchesLimitMax = 200

/** A single relation, several in a list, or comma-separated. */
export const Relations = z
  .union([z.string().max(256), z.array(z.string().max(32)).max(16)])
  .transform((given, context): MatchRelation[] => {
    const words = (typeof given === 'string' ? given.split(',') : given).map((word) => word.trim()).filter(Boolean)
    const known = words.filter((word): word is MatchRelation => (matchRelations as readonly string[]).includes(word))
    if (known.length === words.length && known.length > 0) return known
    context.addIssue({ code: 'custom', message: `must be one of ${matchRelations.join(', ')}` })
    return z.NEVER
  })
  .meta({ id: 'MatchRelations', examples: ['identity,complement'] })

/** Each names one market; none of them means "browse". */
export const marketLookup = {
  marketId: Id.optional(),
  slug: Id.optional(),
  url: z.string().min(1).max(2_048).optional(),
  /** A market as it was read, or its id. */
  market: z.union([Id, z.looseObject({ marketId: Id })]).optional(),
  /** All members of a cluster. */
  clusterId: Id.optional(),
}

export const eventLookup = {
  eventId: Id.optional(),
  slug: Id.optional(),
  event: z.union([Id, z.looseObject({ id: Id })]).optional(),
}

export const matchFilters = {
  query: Text.optional(),
  category: Text.optional(),
  relation: Relations.optional(),
  relations: Relations.optional(),
  /** 0 to 1: match score / 100. */
  minConfidence: z.number().min(0).max(1).default(0),
  limit: Limit.max(1_000_000).default(matchesLimitDefault),
  /** False leaves bestBid and bestAsk null. */
  includePrices: z.boolean().default(true),
}

export const sorting = {
  /** Minimum difference of the two prices of Yes, probability. */
  minDifference: z.number().min(0).max(1).optional(),
  sort: z.enum(['confidence', 'volume', 'priceDifference']).default('confidence'),
}

/** For verbs that return matches of a market. */
export const MatchesQuery = z
  .object({ ...marketLookup, ...matchFilters, ...sorting })
  .meta({ examples: [{ minConfidence: 0.9, limit: 10 }] })

/** The requested relations, or the verb's own; one the verb does not serve is an error, not an empty list. */
export function relationsOf(
  requested: { relation?: MatchRelation[] | undefined; relations?: MatchRelation[] | undefined },
  own: readonly MatchRelation[],
): readonly MatchRelation[] {
  const wanted = requested.relation ?? requested.relations
  if (wanted === undefined) return own
  const foreign = wanted.filter((relation) => !own.includes(relation))
  if (foreign.length > 0) throw new Fault('VALIDATION_ERROR', `relation: this verb supports ${own.join(', ')}`)
  return wanted
}
