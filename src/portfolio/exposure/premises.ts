// What a row's figures rest on: the relations, and why the figures are bounds.
import type { Relation } from '#arbitrage/structures/index'
import type { ExposureBound, ExposureRelation } from '#schemas/exposure'
import type { AccountExposure } from './exposure.ts'
import { type Holding, isUncertain } from './holdings.ts'

/** Relations listed in one row. */
export const relationsListedMax = 50

/** Why worst and best case are not exact. */
export function boundsOf(
  { held, isCut }: AccountExposure,
  holdings: readonly Holding[],
  { bounds }: { bounds: ReadonlySet<ExposureBound> },
): ExposureBound[] {
  const found = new Set(bounds)
  if (holdings.some(({ market }) => isUncertain(held.notCovered.get(market) ?? []))) found.add('payout_unknown')
  if (isCut) found.add('relations_limit')
  return [...found].sort()
}

/** Relations by id, without those of a market with itself. */
export const listed = ({ relations, held }: AccountExposure, ids: readonly string[]): ExposureRelation[] => {
  const own = new Set(held.own.map(({ id }) => id))
  return ids.flatMap((id) => {
    const relation = relations.get(id)
    return relation === undefined || own.has(id) ? [] : relationOf(relation)
  })
}

const relationOf = ({ id, kind, band, reason }: Relation): ExposureRelation => ({
  id,
  kind,
  band,
  reason: reason ?? null,
})
