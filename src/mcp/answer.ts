// Answers for a model: JSON of bounded size. Rows that do not fit are left out and counted, never cut in the middle.

/** Some six thousand tokens. */
export const answerCharactersMax = 24_000

export interface Answer {
  asOf?: string | null | undefined
  rows?: readonly unknown[]
  /** Of rows that do not fit, the first are left out: they are the oldest. Otherwise the last are: lists come best first. */
  newestLast?: boolean
  /** Continues after the last row that was read: it is not told where rows are left out. */
  nextCursor?: string | undefined
  [fact: string]: unknown
}

export function textOf({ rows, newestLast = false, nextCursor, ...facts }: Answer): string {
  const paged = { ...facts, nextCursor }
  if (rows === undefined) return whole(paged)
  const kept: string[] = []
  // The surrounding object, with room for a count of what is left out.
  let length = JSON.stringify(paged).length + 64
  for (const row of newestLast ? rows.toReversed() : rows) {
    const text = JSON.stringify(row)
    if (length + text.length + 1 > answerCharactersMax) break
    kept.push(text)
    length += text.length + 1
  }
  if (newestLast) kept.reverse()
  const leftOut = rows.length - kept.length
  const head = JSON.stringify(leftOut > 0 ? { ...facts, leftOut } : paged).slice(0, -1)
  return `${head}${head === '{' ? '' : ','}"rows":[${kept.join(',')}]}`
}

function whole(facts: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(facts)
  if (text.length <= answerCharactersMax) return text
  throw new Error(
    `the answer has ${text.length} characters, more than the limit of ${answerCharactersMax}: ask for less`,
  )
}
