// Decisions on template pairs: two question texts whose shared names, dates and amounts are replaced by placeholders.
import { z } from 'zod'
import { matchRelations } from './matches.ts'

export const decisionVerdicts = ['same', 'different'] as const
export const decisionSources = ['shipped', 'operator', 'judge'] as const

/** What was compared, and what was found: one line of a checklist. */
export const DecisionReason = z.object({ field: z.string().min(1).max(60), reason: z.string().min(1).max(1_000) })

const TemplateText = z.string().min(1).max(2_000)

const templateDecisionShape = {
  /** The two texts with placeholders, sorted. */
  a: TemplateText,
  b: TemplateText,
  verdict: z.enum(decisionVerdicts),
  /** From Yes of the first text to Yes of the second. */
  relation: z.enum(matchRelations),
  reasons: z.array(DecisionReason).max(50).readonly(),
  /** Quotations or names of labelled pairs. */
  evidence: z.array(z.string().min(1).max(2_000)).max(50).readonly(),
  decidedAt: z.iso.datetime({ offset: true }),
  decidedBy: z.string().min(1).max(200),
  source: z.enum(decisionSources),
}

export const TemplateDecisionSchema = z
  .object(templateDecisionShape)
  .refine(({ a, b }) => a <= b, { error: 'the two texts must be sorted' })
  // PostgreSQL has no year 0.
  .refine(({ decidedAt }) => Date.parse(decidedAt) >= 0, { error: 'decidedAt must not be before 1970' })
  .refine(({ verdict, relation }) => (verdict === 'same') === (relation === 'identity' || relation === 'complement'), {
    error: 'identity and complement are "same", the other relations are "different"',
  })
  .meta({ id: 'TemplateDecision' })
export type TemplateDecision = z.infer<typeof TemplateDecisionSchema>
