// Whether the figure a question asks about is published in any case, so that exactly one amount must be true.
import type { Question } from '../../read/question.ts'

const figures =
  /\b(?:turnout|approval|disapproval|favou?rability|vote share|share of (?:the )?vote|of the vote|seats?|temperature|score|rate)\b/i
/** Acts whose amount is known only once they are done. */
const acts =
  /\b(?:sentenced|acquir(?:e|es|ed)|ipo|pass(?:es|ed)?|confirmed|drafted|sold|last(?:s|ed)?|debut(?:s|ed)?|margin|wins? (?:\S+ ){0,8}by|fined?)\b/i

export function isParsed({ domain, features, proposition, text }: Question): boolean {
  if (proposition?.frame.grid !== undefined) return proposition.frame.mayFail !== true
  if (acts.test(text)) return false
  return (
    domain === 'weather' ||
    domain === 'price' ||
    domain === 'game' ||
    features.metric !== undefined ||
    figures.test(text)
  )
}
