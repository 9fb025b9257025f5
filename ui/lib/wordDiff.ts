// Which words of two texts differ: those outside of their longest common sequence of words.

export interface Part {
  text: string
  /** Number of its first word. */
  start: number
  differs: boolean
}

/** Cells of the table that is filled; of longer texts, everything between their common beginning and end counts as different. */
const cellsMax = 1_000_000

export function wordDiff(a: string, b: string): { a: Part[]; b: Part[] } {
  const [one, other] = [wordsOf(a), wordsOf(b)]
  let start = 0
  while (start < one.length && start < other.length && same(one[start]!, other[start]!)) start++
  let end = 0
  while (
    end < one.length - start &&
    end < other.length - start &&
    same(one[one.length - 1 - end]!, other[other.length - 1 - end]!)
  )
    end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  const common = left.length * right.length > cellsMax ? none(left, right) : commonWords(left, right)
  const flags = (middle: readonly boolean[]): boolean[] => [
    ...new Array<boolean>(start).fill(true),
    ...middle,
    ...new Array<boolean>(end).fill(true),
  ]
  return { a: partsOf(one, flags(common.a)), b: partsOf(other, flags(common.b)) }
}

/** Each word with the space after it. */
const wordsOf = (text: string): string[] => text.match(/\S+\s*/g) ?? []

/** Case and the punctuation around a word do not count. */
const same = (one: string, other: string): boolean => bare(one) === bare(other)
function bare(word: string): string {
  const letters = word.toLowerCase().replaceAll(/^[^\p{L}\p{N}$%{]+|[^\p{L}\p{N}$%}]+$/gu, '')
  return letters === '' ? word.trim() : letters
}

const none = (left: readonly string[], right: readonly string[]) => ({
  a: left.map(() => false),
  b: right.map(() => false),
})

/** For each word, whether it is in the common sequence. */
function commonWords(left: readonly string[], right: readonly string[]): { a: boolean[]; b: boolean[] } {
  const width = right.length + 1
  // Length of the common sequence of the words from here on.
  const lengths = new Uint16Array((left.length + 1) * width)
  const [ours, theirs] = [left.map(bare), right.map(bare)]
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        ours[i] === theirs[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const found = none(left, right)
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (ours[i] === theirs[j]) {
      found.a[i++] = true
      found.b[j++] = true
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++
    else j++
  }
  return found
}

/** Neighbours of one kind are joined. */
function partsOf(words: readonly string[], isCommon: readonly boolean[]): Part[] {
  const parts: Part[] = []
  for (const [at, text] of words.entries()) {
    const differs = !isCommon[at]!
    const last = parts.at(-1)
    if (last?.differs === differs) last.text += text
    else parts.push({ text, start: at, differs })
  }
  return parts
}
