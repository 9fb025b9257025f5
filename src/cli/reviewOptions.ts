// What the reviews at a terminal share: their options, who decides, and how the fields of a pair are shown.
import { Fault } from '#core/fault'
import type { Decider } from '#matching/decide/review/index'
import type { ReviewedField } from '#schemas/matchReview'
import { type MatchWord, readWord } from './matches.ts'

export interface ReviewOptions extends Omit<MatchWord, 'polarity'> {
  /** Number of pairs; 30 by default, at most 500. */
  limit?: string
  /** One JSON object per line, and no questions. */
  json?: boolean
  /** Pairs that were demoted because of their prices, instead of template pairs. */
  prices?: boolean
  /** For the named template pair. */
  relation?: string
  /** Withdraws the decision on the named template pair. */
  undo?: boolean
  /** JSON lines of all decisions that apply. */
  export?: boolean
  /** File of such lines. */
  import?: string
  /** The import also replaces decisions that apply here. */
  replace?: boolean
}

export const nextRun = 'The matcher applies it from its next run.'

const limitMax = 500
/** Of a rules text on the terminal, characters. */
const shownRules = 600

export const shownField = ({ field, a, b, equal }: ReviewedField): string[] =>
  equal
    ? [`  ${field.padEnd(11)} = ${cut(a)}`]
    : [`  ${field.padEnd(11)} 1 ${cut(a)}`, `  ${''.padEnd(11)} 2 ${cut(b)}`]

function cut(text: string | null): string {
  const line = text?.replaceAll(/\s+/g, ' ') ?? '-'
  return line.length <= shownRules ? line : `${line.slice(0, shownRules)} …`
}

/** A reason is optional here: both texts are kept with the decision. */
export function deciderOf({ reason, by }: ReviewOptions): Decider & { reason: string | undefined } {
  const word = readWord({ reason: reason ?? 'review', ...(by === undefined ? {} : { by }) })
  return { by: word.setBy, recordedBy: word.setBy, reason: reason === undefined ? undefined : word.reason }
}

export function limitOf({ limit = '30' }: ReviewOptions): number {
  const count = Number(limit)
  if (!Number.isInteger(count) || count < 1 || count > limitMax)
    throw new Fault('VALIDATION_ERROR', `limit must be a whole number from 1 to ${limitMax}`)
  return count
}
