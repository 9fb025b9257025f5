// Posts that a question names: a title and the body that it belongs to, "Director of the FBI", "Treasury Secretary".
import type { Question } from '../question.ts'
import { matches } from '../text.ts'

export interface Post {
  title: string
  /** Significant words of the body, in lower case; never empty. */
  body: readonly string[]
}

const titles = 'director|secretary|administrator|commissioner|ambassador|surgeon|inspector'
/** "Director of National Intelligence", "Ambassador to the United Nations". */
const before = new RegExp(`\\b(${titles})(?: general)? (?:of|to|for) ((?:[\\p{L}\\p{N}&'-]+ ?){1,7})`, 'gu')
/** "FBI Director", "Homeland Security Secretary". */
const behind = new RegExp(`([\\p{L}\\p{N}&'-]+) (${titles})\\b(?! of\\b| to\\b| for\\b| general\\b)`, 'gu')

/** Ends the name of a body. */
const ends =
  /^(?:by|before|in|on|with|during|after|until|through|this|as|at|from|when|if|or|be|is|was|will|vote|votes|confirmed|resign|leave|next|first)$/
const filler = new Set(
  'the a an of for to and us usa department agency office bureau new next former acting current deputy assistant as first last named be is was become becomes became'.split(
    ' ',
  ),
)

const cache = new WeakMap<Question, readonly Post[]>()

export function postsOf(q: Question): readonly Post[] {
  const known = cache.get(q)
  if (known !== undefined) return known
  const text = `${q.text} | ${q.label} | ${q.event}`.toLowerCase().replaceAll('.', '').replaceAll('united states', 'us')
  const found = [
    ...matches(before, text).map(([, title, body]) => ({ title: title!, body: bodyWords(untilEnd(body!.split(' '))) })),
    ...matches(behind, text).map(([, body, title]) => ({ title: title!, body: bodyWords([body!]) })),
  ].filter(({ body }) => body.length > 0)
  cache.set(q, found)
  return found
}

function untilEnd(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => ends.test(word))
  return at === -1 ? words : words.slice(0, at)
}

const bodyWords = (words: readonly string[]): string[] =>
  words.map((word) => word.replace(/'s$/, '')).filter((word) => word !== '' && !filler.has(word))

/** A word in common, or one names the other by its initials. */
export function mayBeOnePost(one: Post, other: Post): boolean {
  if (one.body.some((word) => other.body.includes(word))) return true
  return isInitials(one, other) || isInitials(other, one)
}

const isInitials = ({ body: [short = ''] }: Post, { title, body }: Post): boolean => {
  const initials = body.map((word) => word[0]).join('')
  return body.length > 1 && (short === initials || short === `${title[0]}${initials}`)
}
