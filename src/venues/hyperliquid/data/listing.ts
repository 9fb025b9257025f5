// The venue's current list: every unsettled outcome with its question, and the related lookup data.
import { fieldOf, readLongList, readOptional, shapeReader } from '../../shared/data/rows.ts'
import type { VenueContext } from '../../venueContext.ts'
import { HyperOutcome, HyperQuestion, HyperSpotContext, HyperTemplate } from '../wire.ts'
import { getOutcomeMeta, getSpotContexts, getTemplates } from './endpoints.ts'
import type { Listed, RowContext } from './normalize.ts'

export interface Listing {
  open: Listed[]
  /** By number. */
  questions: ReadonlyMap<number, HyperQuestion>
  around: RowContext
}

export async function readListing(context: VenueContext): Promise<Listing> {
  const [meta, templates, contexts] = await Promise.all([
    getOutcomeMeta(context),
    readOptional(context, 'no templates: their markets keep their raw names', [], getTemplates(context)),
    readOptional(context, 'no spot contexts: prices and volumes stay unknown', [], getSpotContexts(context)),
  ])
  const questions = await readLongList(context, meta.questions ?? [], {
    what: 'question',
    name: 'question',
    read: shapeReader(HyperQuestion),
  })
  const byOutcome = new Map(questions.flatMap((question) => question.namedOutcomes.map((named) => [named, question])))
  const fallbacks = new Set(questions.map(({ fallbackOutcome }) => fallbackOutcome))
  const specs = await readLongList(context, meta.outcomes ?? [], {
    what: 'outcome',
    name: 'outcome',
    read: shapeReader(HyperOutcome),
  })
  const known = await readLongList(context, templates, {
    what: 'template',
    name: 'id',
    read: shapeReader(HyperTemplate),
  })
  const outcomes = contexts.filter((row) => String(fieldOf(row, 'coin')).startsWith('#'))
  const traded = await readLongList(context, outcomes, {
    what: 'context',
    name: 'coin',
    read: shapeReader(HyperSpotContext),
  })
  return {
    // A fallback pays when no named outcome does. It cannot be split, and the venue has no page for it.
    open: specs
      .filter(({ outcome }) => !fallbacks.has(outcome))
      .map((spec) => ({ spec, question: byOutcome.get(spec.outcome) ?? null, settled: null })),
    questions: new Map(questions.map((question) => [question.question, question])),
    around: {
      templates: new Map(known.map((one) => [one.id, one])),
      // The list begins with every other spot asset.
      contexts: new Map(traded.map((one) => [one.coin, one])),
    },
  }
}
