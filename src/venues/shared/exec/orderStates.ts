// Maps a venue's names of order states to ours.

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
