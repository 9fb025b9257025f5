// Lets the LLM judge decide on the open template pairs of the last run: one after another, in the given order, as far as its budget goes. No run
// waits for it.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { inputOf, type MatchInput, readQuestion } from '#matching/candidateIndex'
import type { Judge, JudgeMarket, JudgeRequest } from '#matching/decide/judge/index'
import { templatePairOf } from '#matching/decide/templates/templatePair'
import { closeMillis, marketKey } from '#matching/read/input'
import { findMatchWords, listOpenTemplatePairs, openTemplatePairsMax } from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'

/** Afterwards the list of open pairs is read again. */
const answersMax = 50
/** So many failures in a row end the round: the endpoint is away. */
const failuresMax = 2
/** Failed requests count, too: after a round with failures the next one waits, twice as long each time. */
const restBaseMs = 10 * 60_000
const restMaxMs = 2 * 3_600_000
/** The latest date that JavaScript can write. */
const latestMs = 8.64e15

/** A template pair without a decision. */
export interface OpenPair {
  key: string
  /** Pairs of market keys that reduce to it. */
  examples: readonly { a: string; b: string }[]
}

export interface JudgingOptions {
  pool: Pool
  judge: Judge
  clock: Pick<Clock, 'now'>
  signal: AbortSignal
}

export interface JudgingCounts {
  same: number
  different: number
  undecided: number
  /** Their texts are not sent, or no longer reduce to the template pair. */
  unsuitable: number
  /** Keys of pairs for which the endpoint gave no answer. */
  failed: string[]
  /** The requests of today are used up. */
  overBudget: boolean
}

/** Throws if the database fails. */
export async function judgeOpenPairs(
  openPairs: readonly OpenPair[],
  { pool, judge, clock, signal }: JudgingOptions,
): Promise<JudgingCounts> {
  const counts: JudgingCounts = { same: 0, different: 0, undecided: 0, unsuitable: 0, failed: [], overBudget: false }
  const known = await judge.known(openPairs.map(({ key }) => key))
  let answers = 0
  let failures = 0
  for (const open of openPairs) {
    if (known.has(open.key)) continue
    if (signal.aborted || answers >= answersMax || failures >= failuresMax) break
    const request = await readRequest(pool, open, clock.now())
    if (request === null) {
      counts.unsuitable++
      continue
    }
    const { verdict, state } = await judge.decide(request, signal)
    if (state === 'over_budget') {
      counts.overBudget = true
      break
    }
    if (state === 'unavailable') {
      failures++
      counts.failed.push(open.key)
      continue
    }
    if (state === 'unsuitable') {
      counts.unsuitable++
      continue
    }
    failures = 0
    answers++
    counts[verdict]++
  }
  return counts
}

/** The first example that still reduces to the template pair: its markets may have changed since the run. */
async function readRequest(pool: Pool, { key, examples }: OpenPair, now: number): Promise<JudgeRequest | null> {
  for (const example of examples) {
    const [one, other] = [await readInput(pool, example.a), await readInput(pool, example.b)]
    if (one === null || other === null) continue
    const pair = templatePairOf(readQuestion(one, { asOf: now }), readQuestion(other, { asOf: now }))
    if (pair?.key !== key) continue
    const [a, b] = pair.turned ? [other, one] : [one, other]
    return { pair, a: textsOf(a), b: textsOf(b) }
  }
  return null
}

async function readInput(pool: Pool, key: string): Promise<MatchInput | null> {
  const colon = key.indexOf(':')
  const [venue, id] = [key.slice(0, colon), key.slice(colon + 1)]
  const [found] = await findMatchWords(pool, venue, [id])
  return found === undefined ? null : inputOf(venue, id, found.words)
}

function textsOf(market: MatchInput): JudgeMarket {
  const closes = closeMillis(market.closeTime)
  return {
    key: marketKey(market),
    title: market.title,
    subtitle: market.subtitle ?? null,
    eventTitle: market.eventTitle ?? null,
    rules: market.rules ?? null,
    closeTime: closes === null || Math.abs(closes) > latestMs ? null : new Date(closes).toISOString(),
  }
}

export interface JudgingRounds {
  /** Begins a round, unless one is in progress or the endpoint was away a short time ago. */
  start(): void
  /** Ends a round; a request in progress is aborted. */
  stop(): Promise<void>
}

export interface RoundOptions extends Omit<JudgingOptions, 'signal'> {
  clock: Pick<Clock, 'now' | 'monotonic'>
  log: Log
  /** Called after a round with new decisions. */
  decided(): void
}

export function createJudgingRounds({ pool, judge, clock, log, decided }: RoundOptions): JudgingRounds {
  const abort = new AbortController()
  const { signal } = abort
  let working: Promise<void> | null = null
  /** Of the last round: they come last, so that they cannot hold up the others. */
  let failed: ReadonlySet<string> = new Set()
  let failedRounds = 0
  let restUntil = Number.NEGATIVE_INFINITY

  async function round(): Promise<void> {
    const open = await listOpenTemplatePairs(pool, openTemplatePairsMax)
    const late = open.filter(({ key }) => failed.has(key))
    const ordered = late.length === 0 ? open : [...open.filter(({ key }) => !failed.has(key)), ...late]
    const counts = await judgeOpenPairs(ordered, { pool, judge, clock, signal })
    if (signal.aborted) return
    failed = new Set(counts.failed)
    failedRounds = failed.size === 0 ? 0 : failedRounds + 1
    if (failedRounds > 0) restUntil = clock.monotonic() + Math.min(restMaxMs, restBaseMs * 2 ** (failedRounds - 1))
    const { same, different, undecided } = counts
    const fields = { ...counts, failed: failed.size }
    if (failed.size > 0) log.warn(fields, 'the LLM judge does not answer')
    else if (same + different + undecided > 0) log.info(fields, 'the LLM judge decided on open template pairs')
    if (same + different > 0) decided()
  }

  return {
    start() {
      if (signal.aborted || clock.monotonic() < restUntil) return
      working ??= round()
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn({ err: error }, 'the LLM judge could not be used')
        })
        .finally(() => {
          working = null
        })
    },
    async stop() {
      abort.abort()
      await working
    },
  }
}
