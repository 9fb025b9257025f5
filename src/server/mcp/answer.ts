// Responses for a model: JSON of bounded size, with text that is safe to show, since models and their terminals read what venues and
// callers wrote. Rows that do not fit are left out and counted, never cut in the middle.
import { plainJson, plainText } from '#core/plainText'

/** Some six thousand tokens. */
export const answerCharactersMax = 24_000

export interface Answer {
  asOf?: string | null | undefined
  rows?: readonly unknown[]
  /** If rows do not fit, the first ones are left out because they are the oldest. Otherwise the last: lists come best first. */
  newestLast?: boolean
  /** Continues after the last row that was read; not included in the response when rows are left out. */
  nextCursor?: string | undefined
  [fact: string]: unknown
}

export function textOf({ rows, newestLast = false, nextCursor, ...facts }: Answer): string {
  const paged = { ...facts, nextCursor }
  if (rows === undefined) return whole(paged)
  const kept: string[] = []
  // The surrounding object, with room for a count of what is left out.
  let length = jsonOf(paged).length + 64
  for (const row of newestLast ? rows.toReversed() : rows) {
    const text = jsonOf(row)
    if (length + text.length + 1 > answerCharactersMax) break
    kept.push(text)
    length += text.length + 1
  }
  if (newestLast) kept.reverse()
  const leftOut = rows.length - kept.length
  const head = jsonOf(leftOut > 0 ? { ...facts, leftOut } : paged).slice(0, -1)
  return `${head}${head === '{' ? '' : ','}"rows":[${kept.join(',')}]}`
}

function whole(facts: Readonly<Record<string, unknown>>): string {
  const text = jsonOf(facts)
  if (text.length <= answerCharactersMax) return text
  throw new Error(
    `the answer has ${text.length} characters, more than the limit of ${answerCharactersMax}: ask for less`,
  )
}

const jsonOf = (value: unknown): string =>
  plainJson(JSON.stringify(value, (_, member) => (typeof member === 'string' ? plainText(member) : member)))
