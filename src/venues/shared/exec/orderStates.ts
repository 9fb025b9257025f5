// Maps a venue's names of order states to ours. An unknown name counts as no state and is logged.
import { Fault } from '#lib/fault'
import type { AskedVenue } from '#schemas/venues'

/** `spelled`: how the table spells a word. Throws NETWORK_ERROR. */
export const stateReader =
  <State>(
    venue: AskedVenue,
    states: Readonly<Record<string, State>>,
    { spelled = (word: string) => word, of = 'order' }: { spelled?: (word: string) => string; of?: string } = {},
  ) =>
  (word: string): State => {
    const key = spelled(word)
    const state = Object.hasOwn(states, key) ? states[key] : undefined
    if (state !== undefined) return state
    throw unknownState(venue, word, of)
  }

export const unknownState = (venue: AskedVenue, word: string, of = 'order'): Fault =>
  new Fault('NETWORK_ERROR', `${venue} sent an ${of} state we do not know`, {
    exchange: venue,
    detail: word.slice(0, 100),
  })

/**
 * Null for a word that the table does not have: the rest of the read (fills, sizes) still counts, the status stays, and `unknownStateReason`
 * shows the word to the owner. `spelled`: how the table spells a word.
 */
export const optionalStateReader =
  <State>(
    states: Readonly<Record<string, State>>,
    { spelled = (word: string) => word }: { spelled?: (word: string) => string } = {},
  ) =>
  (word: string): State | null => {
    const key = spelled(word)
    return Object.hasOwn(states, key) ? (states[key] ?? null) : null
  }

const wordMax = 60

/** For `observation.reason`. */
export const unknownStateReason = (word: string, of = 'order'): string =>
  `the venue reports an unknown ${of} state: ${word.replace(/[^\x20-\x7e]/g, '?').slice(0, wordMax)}`
