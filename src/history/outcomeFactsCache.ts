// A short memory in front of the tape's facts: a page of a hundred markets asks for the same outcomes again and again.
import type { Clock } from '#lib/clock'
import type { OutcomeFacts } from './outcomeFacts.ts'

/** Facts may be this old. */
export const factsFreshMs = 15_000
/** Outcomes remembered of each kind; the oldest go first. */
export const factsRememberedMax = 50_000

interface Remembered<T> {
  at: number
  /** Undefined: the tape knows nothing, which is worth remembering too. */
  value: T | undefined
}

type Find<T> = (venue: string, outcomeIds: readonly string[], nowMs: number) => Promise<Map<string, T>>

export function cacheOutcomeFacts(facts: OutcomeFacts, clock: Clock): OutcomeFacts {
  return {
    findPriceChanges: remember((...asked) => facts.findPriceChanges(...asked), clock),
    findCoverage: remember((...asked) => facts.findCoverage(...asked), clock),
  }
}

function remember<T>(find: Find<T>, clock: Clock): Find<T> {
  const memory = new Map<string, Remembered<T>>()

  return async (venue, outcomeIds, nowMs) => {
    const now = clock.now()
    const known = new Map<string, T>()
    const missing: string[] = []
    for (const outcomeId of outcomeIds) {
      const hit = memory.get(`${venue}:${outcomeId}`)
      if (hit === undefined || now - hit.at >= factsFreshMs) missing.push(outcomeId)
      else if (hit.value !== undefined) known.set(outcomeId, hit.value)
    }
    if (missing.length === 0) return known
    const found = await find(venue, missing, nowMs)
    for (const outcomeId of missing) {
      const key = `${venue}:${outcomeId}`
      const value = found.get(outcomeId)
      // Taken out first, so that the map's order stays the order of age.
      memory.delete(key)
      memory.set(key, { at: now, value })
      if (value !== undefined) known.set(outcomeId, value)
    }
    for (const key of memory.keys()) {
      if (memory.size <= factsRememberedMax) break
      memory.delete(key)
    }
    return known
  }
}
