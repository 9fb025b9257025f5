// The venue's list as it stands: every outcome that is not settled, with its question, and what surrounds them.
import type { VenueContext } from '../../venue.ts'
import { HyperOutcome, HyperQuestion, HyperSpotContext, HyperTemplate } from '../wire.ts'
import { getOutcomeMeta, getSpotContexts, getTemplates } from './endpoints.ts'
import type { Around, Listed } from './normalize.ts'
import { readRows } from './rows.ts'

export interface Listing {
  open: Listed[]
  /** By number. */
  questions: ReadonlyMap<number, HyperQuestion>
  around: Around
}

export async function readListing(context: VenueContext): Promise<Listing> {
  const [meta, templates, contexts] = await Promise.all([
    getOutcomeMeta(context),
    optional(context, 'templates: their markets keep their raw names', getTemplates(context)),
    optional(context, 'spot contexts: prices and volumes stay unknown', getSpotContexts(context)),
  ])
  const questions = readRows(context, meta.questions, HyperQuestion, 'question')
  const byOutcome = new Map(questions.flatMap((question) => question.namedOutcomes.map((named) => [named, question])))
  const fallbacks = new Set(questions.map(({ fallbackOutcome }) => fallbackOutcome))
  const specs = readRows(context, meta.outcomes, HyperOutcome, 'outcome')
  return {
    // A fallback pays when no named outcome does. It cannot be split, and the venue gives it no page.
    open: specs
      .filter(({ outcome }) => !fallbacks.has(outcome))
      .map((spec) => ({ spec, question: byOutcome.get(spec.outcome) ?? null, settled: null })),
    questions: new Map(questions.map((question) => [question.question, question])),
    around: {
      templates: new Map(readRows(context, templates, HyperTemplate, 'template').map((one) => [one.id, one])),
      contexts: new Map(
        readRows(context, contexts.filter(isOutcome), HyperSpotContext, 'context').map((one) => [one.coin, one]),
      ),
    },
  }
}

/** The list of contexts begins with every other spot asset. */
const isOutcome = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && String((row as { coin?: unknown }).coin).startsWith('#')

/** The catalog stands without it; only what it would have told stays unknown. */
async function optional(context: VenueContext, what: string, read: Promise<unknown[]>): Promise<unknown[]> {
  try {
    return await read
  } catch (error) {
    if (context.signal.aborted) throw error
    context.log.warn({ venue: 'hyperliquid', err: error }, `no ${what} in this read`)
    return []
  }
}
