// What the judge receives and returns, and what it needs: a model to request, and a store of its judgements.
import type { TemplateDecision } from '#schemas/matchDecisions'
import type { JudgementTexts, JudgeVersion, NewJudgement, StoredJudgement } from '#storage/postgres/matching/index'
import type { TemplatePair } from '../templates/templatePair.ts'

/** The texts of a market as its venue publishes them. */
export interface JudgeMarket {
  /** `<venue>:<marketId>`; not sent. */
  key: string
  title: string
  subtitle: string | null
  eventTitle: string | null
  rules: string | null
  /** ISO text; null if unknown. */
  closeTime: string | null
}

export interface JudgeRequest {
  pair: TemplatePair
  /** A pair of markets that reduces to it: the one with the first text, and the one with the second. */
  a: JudgeMarket
  b: JudgeMarket
}

export interface JudgeResult {
  verdict: 'same' | 'different' | 'undecided'
  /** Null for `undecided`. */
  decision: TemplateDecision | null
  reason: string
  /**
   * `stored`: from an earlier request; `unsuitable`: these texts are not sent; `over_budget`: no more requests today; `unavailable`: the
   * endpoint did not answer, nothing was stored.
   */
  state: 'answered' | 'stored' | 'unsuitable' | 'over_budget' | 'unavailable'
}

export interface Judge {
  /** Only failures of the store are thrown. */
  decide(request: JudgeRequest, signal?: AbortSignal): Promise<JudgeResult>
  /** Those of the template pairs about which nothing new can be learned. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>
}

export interface JudgeStore {
  find(of: JudgementTexts & JudgeVersion): Promise<StoredJudgement | null>
  findKeys(keys: readonly string[], version: JudgeVersion): Promise<ReadonlySet<string>>
  /** Returns what is stored: another process may have been first. */
  insert(judgement: NewJudgement): Promise<StoredJudgement>
  /** Counts a request of today before it is sent; false if there were `requestsMax` already. */
  countRequest(requestsMax: number): Promise<boolean>
}

export interface Prompt {
  system: string
  user: string
}

/** The text that the model wrote, or why there is none that can be used. */
export type Completion = { text: string } | { problem: string }

/**
 * `mayLeave` is called before every attempt. Throws RequestRefused when it returned false, and NETWORK_ERROR when the endpoint did not answer as
 * one.
 */
export type Complete = (prompt: Prompt, mayLeave: () => Promise<boolean>, signal: AbortSignal) => Promise<Completion>

export class RequestRefused extends Error {
  constructor() {
    super('no further request may be sent')
    this.name = 'RequestRefused'
  }
}
