// A short memory in front of the tape's facts: a page of a hundred markets asks for the same outcomes again and again, and readers that
// come while the tape is still answering wait for that answer instead of asking once more.
import type { Clock } from '#lib/clock'
import type { OutcomeFacts, OutcomeName } from './outcomeFacts.ts'

/** Facts may be this old. */
export const factsFreshMs = 15_000
/** Questions of one kind under way at once. While a slow tape has that many, what is not remembered stays unknown. */
export const factsQuestionsMax = 4
/** Outcomes remembered of each kind; the oldest go first. */
export const factsRememberedMax = 50_000

interface Remembered<T> {
  at: number
  /** Undefined: the tape knows nothing, which is worth remembering too. */
  value: T | undefined
}

type Find<T> = (venue: string, outcomes: readonly OutcomeName[], nowMs: number) => Promise<Map<string, T>>

export function cacheOutcomeFacts(facts: OutcomeFacts, clock: Clock): OutcomeFacts {
  return {
    findPriceChanges: remember((...asked) => facts.findPriceChanges(...asked), clock),
    findCoverage: remember((...asked) => facts.findCoverage(...asked), clock),
  }
}

function remember<T>(find: Find<T>, clock: Clock): Find<T> {
  const memory = new Map<string, Remembered<T>>()
  /** Outcomes being asked for now. */
  const asking = new Map<string, Promise<Map<string, T>>>()
  let questions = 0

  async function ask(venue: string, missing: readonly OutcomeName[], nowMs: number): Promise<Map<string, T>> {
    const now = clock.monotonic()
    questions += 1
    try {
      const found = await find(venue, missing, nowMs)
      for (const { outcomeId } of missing) {
        const key = `${venue}:${outcomeId}`
        // Taken out first, so that the map's order stays the order of age.
        memory.delete(key)
        memory.set(key, { at: now, value: found.get(outcomeId) })
      }
      for (const key of memory.keys()) {
        if (memory.size <= factsRememberedMax) break
        memory.delete(key)
      }
      return found
    } finally {
      questions -= 1
      for (const { outcomeId } of missing) asking.delete(`${venue}:${outcomeId}`)
    }
  }

  return async (venue, outcomes, nowMs) => {
    const now = clock.monotonic()
    const known = new Map<string, T>()
    const missing: OutcomeName[] = []
    const elsewhere = new Map<string, Promise<Map<string, T>>>()
    for (const outcome of outcomes) {
      const { outcomeId } = outcome
      const key = `${venue}:${outcomeId}`
      const hit = memory.get(key)
      const asked = asking.get(key)
      if (hit !== undefined && now - hit.at < factsFreshMs) {
        if (hit.value !== undefined) known.set(outcomeId, hit.value)
      } else if (asked !== undefined) elsewhere.set(outcomeId, asked)
      else missing.push(outcome)
    }
    if (missing.length > 0 && questions < factsQuestionsMax) {
      const answer = ask(venue, missing, nowMs)
      for (const { outcomeId } of missing) {
        asking.set(`${venue}:${outcomeId}`, answer)
        elsewhere.set(outcomeId, answer)
      }
    }
    // All at once: a failure of one must not leave another's unheard.
    await Promise.all(new Set(elsewhere.values()))
    for (const [outcomeId, answer] of elsewhere) {
      const value = (await answer).get(outcomeId)
      if (value !== undefined) known.set(outcomeId, value)
    }
    return known
  }
}
