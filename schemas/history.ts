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

export const filesLimitDefault = 100
export const filesLimitMax = 500

/** The file of one UTC day, venue and kind. */
export const DayFile = z.object({
  date: z.iso.date().describe('UTC, by the event time of rows'),
  venue: z.string(),
  kind: z.enum(['tob', 'trades']),
  rows: z.number().int(),
  size: z.number().int().describe('bytes'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  madeAt: z.iso.datetime(),
})
export type DayFile = z.infer<typeof DayFile>
/** As it is listed. */
export const ListedFile = DayFile.extend({ url: z.string().describe('path of the download') })
export type ListedFile = z.infer<typeof ListedFile>
