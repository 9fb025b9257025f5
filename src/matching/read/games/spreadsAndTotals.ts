// Lines and names as written in titles, labels and ids. Pure.
import type { SportsInput } from './input.ts'

/** "Arizona wins by over 2.5 runs", "Will Getafe win …": the name in front. */
export function beforeVerb(text: string): string | undefined {
  const found =
    /^(?:will )?(?:the )?(.+?)\s+(?:wins?\b|to win\b|beats?\b|defeats?\b|advances?\b|to advance\b|[+-]\d|\()/i.exec(
      text.replace(/^[^:]*:\s+(?=\S)/, (lead) => (/\bvs?\b|@| at /.test(lead) ? '' : lead)),
    )
  return found?.[1]
}

export const polarityIn = (text: string): number | null => {
  const found = /(?:^|[\s(])([+-]\d+(?:\.\d+)?)\)?\s*$/.exec(text)
  return found === null ? null : Number(found[1])
}
export const numberIn = (text: string): number | null => {
  const found = /(?:\b(?:over|under|o\/u|total)\b[^\d]{0,20})(\d+(?:\.\d+)?)/i.exec(text)
  return found === null ? null : Number(found[1])
}
/** A total that Yes is above or below: "over 220" pays nothing at 220, "220 or fewer" does. With separate outcomes a whole line may be a push. */
export function totalIn(words: string, isYesNo: boolean): number | null {
  const line = numberIn(words)
  if (line === null || !isYesNo || !Number.isInteger(line)) return line
  if (
    /\d\s*(?:or (?:more|above|over|higher|greater)\b|\+)|\bat least\b|\b(?:under|fewer than|less than|below)\b/.test(
      words,
    )
  )
    return line - 0.5
  return /\d\s*or (?:fewer|less|under|below|lower)\b|\bat most\b|\b(?:over|more than|above|exceed)\b/.test(words)
    ? line + 0.5
    : line
}
/** The required winning margin, as a line that cannot be met exactly. */
export function marginIn(text: string): number | null {
  const found = /\bby (over|more than|at least) (\d+(?:\.\d+)?)/i.exec(text)
  if (found === null) return null
  const margin = Number(found[2])
  if (!Number.isInteger(margin)) return margin
  return /least/i.test(found[1] as string) ? margin - 0.5 : margin + 0.5
}
export const lineInSlug = ({ marketId, slug }: SportsInput): number | null => {
  const found = /-(\d+)pt(\d+)$/.exec(marketId) ?? /-(\d+)pt(\d+)$/.exec(slug ?? '')
  return found === null ? null : Number(`${found[1]}.${found[2]}`)
}
export const inverted = (line: number, side: 0 | 1): number => (side === 0 ? line : -line)
/** Avoids minus zero. */
export const plain = (line: number): number => (line === 0 ? 0 : line)
