// The state of a background job in words: the reads of a venue's catalog, or the matching of markets.
import type { JobState } from '#schemas/status'
import { format } from './format.ts'

export interface JobWords {
  tone: 'good' | 'warn' | 'bad' | 'quiet'
  words: string
  /** Time since its last run; null before the first one. */
  age: string | null
}

type State = JobState['state']

const tones: Readonly<Record<State, JobWords['tone']>> = {
  ok: 'good',
  fieldsLost: 'warn',
  rowsLost: 'warn',
  failing: 'bad',
  unknown: 'quiet',
}

const catalogWords: Readonly<Record<State, string>> = {
  ok: 'complete',
  fieldsLost: 'fields missing',
  rowsLost: 'markets missing',
  failing: 'failing',
  unknown: 'not known yet',
}

/** A run that was aborted because it took too long is `failing`, with that as its reason. */
const matcherWords: Readonly<Record<State, string>> = { ...catalogWords, ok: 'up to date' }

const inWords = (words: Readonly<Record<State, string>>, { state, asOf }: JobState, nowMs: number): JobWords => ({
  tone: tones[state],
  words: words[state],
  age: asOf === null ? null : `${format.span(Math.max(0, nowMs - Date.parse(asOf)))} ago`,
})

export const catalogInWords = (job: JobState, nowMs: number): JobWords => inWords(catalogWords, job, nowMs)

export const matcherInWords = (job: JobState, nowMs: number): JobWords => inWords(matcherWords, job, nowMs)
