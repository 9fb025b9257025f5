// Answers for a model: JSON of bounded size. Rows that do not fit are left out and counted, never cut in the middle.

/** Some six thousand tokens. */
export const answerCharactersMax = 24_000

export interface Answer {
  asOf?: string | null | undefined
  /** The last rows are left out: lists come best first. */
  rows?: readonly unknown[]
  [fact: string]: unknown
}

export function textOf({ rows, ...facts }: Answer): string {
  if (rows === undefined) return whole(facts)
  const kept: string[] = []
  // The surrounding object, with room for a count of what is left out.
  let length = JSON.stringify(facts).length + 64
  for (const row of rows) {
    const text = JSON.stringify(row)
    if (length + text.length + 1 > answerCharactersMax) break
    kept.push(text)
    length += text.length + 1
  }
  const leftOut = rows.length - kept.length
  const head = JSON.stringify({ ...facts, ...(leftOut > 0 && { leftOut }) }).slice(0, -1)
  return `${head}${head === '{' ? '' : ','}"rows":[${kept.join(',')}]}`
}

function whole(facts: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(facts)
  if (text.length <= answerCharactersMax) return text
  throw new Error(
    `the answer has ${text.length} characters, more than the limit of ${answerCharactersMax}: ask for less`,
  )
}
