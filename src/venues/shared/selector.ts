// The shared selectors of build bodies: a catalog market and its side, or an outcome's own id.
import { z } from 'zod'
import type { LaneCatalog, ResolvedOutcome } from '../lane.ts'

const Id = z
  .union([z.string().min(1).max(200), z.number().int().nonnegative().transform(String)])
  .meta({ id: 'CatalogId' })

export const selectorShape = {
  /** Catalog outcome id. */
  asset: Id.optional(),
  /** Catalog market id, with `outcomeSide`. */
  outcome: Id.optional(),
  outcomeSide: z.enum(['YES', 'NO']).optional(),
}

interface Selector {
  asset?: string | undefined
  outcome?: string | undefined
  outcomeSide?: 'YES' | 'NO' | undefined
}

/** For `.refine`: exactly one way of naming the outcome, and complete. */
export const isSingleOutcome = ({ asset, outcome, outcomeSide }: Selector): boolean =>
  asset === undefined
    ? outcome !== undefined && outcomeSide !== undefined
    : outcome === undefined && outcomeSide === undefined

export const selectorMessage = { path: ['outcome'], message: 'give outcome and outcomeSide, or asset alone' }

export const resolveSelector = (
  catalog: LaneCatalog,
  { asset, outcome, outcomeSide }: Selector,
): Promise<ResolvedOutcome> => (asset === undefined ? catalog.side(outcome!, outcomeSide!) : catalog.outcome(asset))

/** A number or its text; each venue maps it to its own grid. */
export const Amount = z.union([z.number(), z.string().max(40)]).meta({ id: 'Amount' })
