// What the tape can promise, as readers of history are told.
import { z } from 'zod'
import { Coverage } from './market.ts'

export const coverageLimitDefault = 20
export const coverageLimitMax = 100
/** Of one outcome in one answer: the newest. */
export const coverageGapsMax = 1_000

/** A stretch of which the tape may lack rows. */
export const CoverageGap = z.object({
  kind: z
    .enum(['gap', 'closed'])
    .describe('gap: the feed was broken, or rows were lost; closed: the outcome was not watched'),
  from: z.iso
    .datetime()
    .nullable()
    .describe('null: not known; a process ended unheard, some time after what was told before'),
  to: z.iso.datetime().nullable().describe('null: it lasts'),
  reason: z.string().nullable(),
})
export type CoverageGap = z.infer<typeof CoverageGap>

export const OutcomeCoverage = z.object({
  venue: z.string(),
  outcomeId: z.string().describe('as it was asked for; in a list, as the tape names it'),
  mechanism: Coverage.shape.mechanism,
  effectiveIntervalMs: Coverage.shape.effectiveIntervalMs,
  tapeSince: z.iso.datetime(),
  tradesSince: z.iso.datetime().nullable().describe('null: its trades were never taped'),
  tradesUntil: z.iso.datetime().nullable().describe('up to when its trades were read'),
  completeUntil: z.iso
    .datetime()
    .nullable()
    .describe('up to here its books are on the tape, but for its gaps; null: no writer has said'),
  gaps: z.array(CoverageGap).describe('that touch the window, oldest first'),
  gapsTruncated: z.boolean().describe(`there are older ones: at most ${coverageGapsMax} are told`),
})
export type OutcomeCoverage = z.infer<typeof OutcomeCoverage>
