// Lines and names as titles, labels and ids write them. Pure.
import type { SportsInput } from './input.ts'

/** "Arizona wins by over 2.5 runs", "Will Getafe win …": the name in front. */
export function beforeVerb(text: string): string | undefined {
  const found =
    /^(?:will )?(?:the )?(.+?)\s+(?:wins?\b|to win\b|beats?\b|defeats?\b|advances?\b|to advance\b|[+-]\d|\()/i.exec(
      text.replace(/^[^:]*:\s+(?=\S)/, (lead) => (/\bvs?\b|@| at /.test(lead) ? '' : lead)),
    )
  return found?.[1]
}

export const signedIn = (text: string): number | null => {
  const found = /(?:^|[\s(])([+-]\d+(?:\.\d+)?)\)?\s*$/.exec(text)
  return found === null ? null : Number(found[1])
}
export const numberIn = (text: string): number | null => {
  const found = /(?:\b(?:over|under|o\/u|total)\b[^\d]{0,20})(\d+(?:\.\d+)?)/i.exec(text)
  return found === null ? null : Number(found[1])
}
export const lineInSlug = ({ marketId, slug }: SportsInput): number | null => {
  const found = /-(\d+)pt(\d+)$/.exec(marketId) ?? /-(\d+)pt(\d+)$/.exec(slug ?? '')
  return found === null ? null : Number(`${found[1]}.${found[2]}`)
}
export const turned = (line: number, side: 0 | 1): number => (side === 0 ? line : -line)
/** No line is minus zero. */
export const plain = (line: number): number => (line === 0 ? 0 : line)
