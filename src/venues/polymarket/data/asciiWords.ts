// ASCII text as doubles, so that a text in a frame is compared eight bytes at a time.

const wordBytes = 8

/** Offsets at which a text of `length` bytes is read as doubles: every 8 bytes and once more flush with its end. */
export const wordCount = (length: number): number => Math.ceil(length / wordBytes)
export const wordOffset = (index: number, length: number): number =>
  Math.min(index * wordBytes, Math.max(0, length - wordBytes))

/** ASCII text as overlapping little-endian doubles. ASCII bytes never form a NaN or a zero, so `===` compares the bytes. */
export function wordsOf(text: string): Float64Array {
  const bytes = Buffer.from(text.padEnd(wordBytes, '\0'), 'latin1')
  const words = new Float64Array(wordCount(text.length))
  for (let i = 0; i < words.length; i++) words[i] = bytes.readDoubleLE(wordOffset(i, text.length))
  return words
}

/** Whether the `length` bytes at `at` are the text `words` was built from. */
export function sameWords(view: DataView, at: number, length: number, words: Float64Array): boolean {
  const last = words.length - 1
  for (let i = 0; i < last; i++) if (view.getFloat64(at + i * wordBytes, true) !== words[i]) return false
  return view.getFloat64(at + length - wordBytes, true) === words[last]
}
