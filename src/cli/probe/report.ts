// What a probe of one venue reports.
import { Fault } from '#core/fault'
import type { Drift } from './fields.ts'

export const stepNames = ['catalog', 'market', 'book', 'trades', 'candles', 'socket', 'clock'] as const
export type StepName = (typeof stepNames)[number]

/** `skip`: the venue has no such thing, or not without credentials. */
export type StepState = 'ok' | 'warn' | 'fail' | 'skip'

export interface Step {
  step: StepName
  state: StepState
  message: string
  /** Null: it sent no request of its own. */
  tookMs: number | null
}

/**
 * `blocked`: the venue, or the network in front of it, refuses this location or takes the program for a bot; nothing is wrong with either program.
 * `limited`: it works, with findings. `skipped`: it answers nothing without credentials.
 */
export type Verdict = 'works' | 'limited' | 'blocked' | 'fails' | 'skipped'

export interface VenueReport {
  venue: string
  verdict: Verdict
  message: string
  steps: Step[]
  /** Rows that could not be read, and fields that have an unexpected form and count as unknown. */
  unreadableRows: number
  unreadableFields: Readonly<Record<string, number>>
  /** Differences of the answers from the fields that are known. */
  drift: Drift[]
  requests: number
}

export function verdictOf(steps: readonly Step[], block: string | null): { verdict: Verdict; message: string } {
  const catalog = steps.find(({ step }) => step === 'catalog')
  const failed = steps.filter(({ state }) => state === 'fail')
  const first = failed[0]
  if (first !== undefined && block !== null) return { verdict: 'blocked', message: block }
  if (catalog?.state === 'skip') return { verdict: 'skipped', message: catalog.message }
  if (catalog?.state === 'fail') return { verdict: 'fails', message: `catalog: ${catalog.message}` }
  if (first !== undefined) return { verdict: 'fails', message: `${first.step}: ${first.message}` }
  const warned = steps.find(({ state }) => state === 'warn')
  if (warned !== undefined) return { verdict: 'limited', message: `${warned.step}: ${warned.message}` }
  return { verdict: 'works', message: 'every read and the socket, where there is one' }
}

/** Of a venue whose probe ended with an error outside of its steps. */
export const failedReport = (venue: string, error: unknown, requests: number): VenueReport => ({
  venue,
  verdict: 'fails',
  message: `the probe ended early: ${describeError(error)}`,
  steps: [],
  unreadableRows: 0,
  unreadableFields: {},
  drift: [],
  requests,
})

export function describeError(error: unknown): string {
  if (error instanceof Fault && error.detail !== undefined) return `${error.message}: ${error.detail}`
  return error instanceof Error ? error.message : String(error)
}
