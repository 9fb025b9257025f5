// A short-lived cache in front of the tape's facts: a page of a hundred markets asks for the same outcomes again and again, and concurrent
// readers share one query. Beyond the limit of concurrent queries, requests are collected per venue and sent as one query as soon as the
// limit allows.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import type { OutcomeFacts, OutcomeName } from './outcomeStats.ts'

/** Maximum age of cached facts. */
export const factsFreshMs = 15_000
/** Concurrent queries of one kind. */
export const statsConcurrencyMax = 4
/** Outcomes that may wait for a query; further ones stay unknown. */
export const factsGatheredMax = 20_000
/** Cached outcomes per kind; the least recently read are evicted first. */
export const statsCacheMax = 50_000

type Find<T> = (venue: string, outcomes: readonly OutcomeName[], nowMs: number) => Promise<Map<string, T>>

/** A venue's next query while it waits. */
interface Gathered<T> {
  outcomes: Map<string, OutcomeName>
  nowMs: number
  answer: PromiseWithResolvers<Map<string, T>>
}

export function cacheOutcomeFacts(facts: OutcomeFacts, clock: Clock): OutcomeFacts {
  return {
    findPriceChanges: cached((...args) => facts.findPriceChanges(...args), clock),
    findCoverage: cached((...args) => facts.findCoverage(...args), clock),
    findDepthSince: (...args) => facts.findDepthSince(...args),
  }
}

function cached<T>(find: Find<T>, clock: Clock): Find<T> {
  /** Null: the tape knows nothing, which is cached too. */
  const memory = new Cache<T | null>(statsCacheMax, { clock })
  /** Outcomes being queried now. */
  const inFlight = new Map<string, Promise<Map<string, T>>>()
  /** By venue, in the order in which they started waiting. */
  const gathered = new Map<string, Gathered<T>>()
  let gatheredOutcomes = 0
  let questions = 0

  async function query(venue: string, missing: readonly OutcomeName[], nowMs: number): Promise<Map<string, T>> {
    const freshUntil = clock.monotonic() + factsFreshMs
    questions += 1
    try {
      const found = await find(venue, missing, nowMs)
      const freshMs = freshUntil - clock.monotonic()
      for (const { outcomeId } of missing) memory.set(`${venue}:${outcomeId}`, found.get(outcomeId) ?? null, freshMs)
      return found
    } finally {
      questions -= 1
      for (const { outcomeId } of missing) inFlight.delete(`${venue}:${outcomeId}`)
      askNext()
    }
  }

  function askNext(): void {
    const next = gathered.entries().next()
    if (next.done === true || questions >= statsConcurrencyMax) return
    const [venue, { outcomes, nowMs, answer }] = next.value
    gathered.delete(venue)
    gatheredOutcomes -= outcomes.size
    query(venue, [...outcomes.values()], nowMs).then(answer.resolve, answer.reject)
  }

  /** Immediately if the limit allows, otherwise with the venue's next query; null when too many are waiting already. */
  function queryWhenPossible(
    venue: string,
    missing: readonly OutcomeName[],
    nowMs: number,
  ): Promise<Map<string, T>> | null {
    if (questions < statsConcurrencyMax) return query(venue, missing, nowMs)
    if (gatheredOutcomes + missing.length > factsGatheredMax) return null
    const waiting: Gathered<T> = gathered.get(venue) ?? { outcomes: new Map(), nowMs, answer: Promise.withResolvers() }
    gathered.set(venue, waiting)
    gatheredOutcomes -= waiting.outcomes.size
    for (const outcome of missing) waiting.outcomes.set(outcome.outcomeId, outcome)
    gatheredOutcomes += waiting.outcomes.size
    waiting.nowMs = Math.max(waiting.nowMs, nowMs)
    return waiting.answer.promise
  }

  return async (venue, outcomes, nowMs) => {
    const known = new Map<string, T>()
    const missing: OutcomeName[] = []
    const otherQueries = new Map<string, Promise<Map<string, T>>>()
    for (const outcome of outcomes) {
      const { outcomeId } = outcome
      const key = `${venue}:${outcomeId}`
      const hit = memory.get(key)
      const running = inFlight.get(key)
      if (hit !== undefined) {
        if (hit !== null) known.set(outcomeId, hit)
      } else if (running !== undefined) otherQueries.set(outcomeId, running)
      else missing.push(outcome)
    }
    const answer = missing.length === 0 ? null : queryWhenPossible(venue, missing, nowMs)
    if (answer !== null) {
      for (const { outcomeId } of missing) {
        inFlight.set(`${venue}:${outcomeId}`, answer)
        otherQueries.set(outcomeId, answer)
      }
    }
    // Concurrently: one failure must not leave another unhandled.
    await Promise.all(new Set(otherQueries.values()))
    for (const [outcomeId, answer] of otherQueries) {
      const value = (await answer).get(outcomeId)
      if (value !== undefined) known.set(outcomeId, value)
    }
    return known
  }
}
