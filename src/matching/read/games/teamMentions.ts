// Where a text names a side of its game: every such place becomes `side1` or `side2`, so that one sentence covers all teams.
import { teamAliases } from '../teams.ts'
import { fold, stem } from '../text.ts'
import { isCommon, isStopPhrase, isWeakTerm } from '../vocabulary.ts'
import type { Game, Side } from './game.ts'

/** In lower case. A name common to both sides identifies neither. */
export function mentions(text: string, { sides }: Game): string {
  let low = text.toLowerCase()
  const called = sides.map(namesOf)
  const own = called.flatMap((names, at) =>
    [...names].filter((name) => !called[1 - at]!.has(name)).map((name): [string, string] => [name, ` side${at + 1} `]),
  )
  for (const [name, token] of own.sort(([a], [b]) => b.length - a.length)) {
    low = replaced(low, name, token)
  }
  for (const [at, { words }] of sides.entries()) {
    const [team = ''] = words
    if (!team.includes(':')) continue
    for (const alias of teamAliases(low, team.slice(0, team.indexOf(':'))))
      if (alias.team === team) low = low.replace(alias.pattern.regex, ` side${at + 1} `)
  }
  return low
    .replaceAll(/(side[12]) (?:\(?[a-z]{2,3}\)|fc|cf|sc|afc)(?= |$|[:?,])/g, '$1 ')
    .replaceAll(/(side[12])(?:\s+\1)+/g, '$1')
}

/**
 * Puts a token wherever a name occurs by itself, with its article and its genitive. Without regular expressions: one per name costs more
 * than scanning.
 */
export function replaced(text: string, name: string, token: string): string {
  if (name === '') return text
  let out = ''
  let done = 0
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, Math.max(at + 1, done))) {
    const article = at - 4 >= done && text.startsWith('the ', at - 4) && !isWordly(text[at - 5])
    const end = genitiveEnd(text, at + name.length)
    if (isWordly(text[end]) || (!article && isWordly(text[at - 1]))) continue
    out += text.slice(done, article ? at - 4 : at) + token
    done = end
  }
  return out + text.slice(done)
}

const wordly = /[\p{L}\d]/u
const isWordly = (letter: string | undefined): boolean => letter !== undefined && wordly.test(letter)

function genitiveEnd(text: string, end: number): number {
  if (text[end] !== "'") return end
  if (text[end + 1] === 's' && !isWordly(text[end + 2])) return end + 2
  return isWordly(text[end + 1]) ? end : end + 1
}

/** The full name, and parts that can replace it: some of its words in sequence, alone if they are distinctive. */
function namesOf({ name, words }: Side): Set<string> {
  const full = fold(name ?? '').toLowerCase()
  const found = new Set(full === '' ? [] : [full])
  const parts = full.split(' ').filter((part) => part !== '')
  const isTeam = words[0]?.includes(':') === true
  if (!isTeam) found.add(words.join(' '))
  if (parts.length > 5 || isTeam) return found
  for (let from = 0; from < parts.length; from++) {
    for (let to = from + 1; to <= parts.length; to++) {
      const some = parts.slice(from, to)
      const distinctive = some.filter((part) => !isStopPhrase(part) && !isWeakTerm(stem(part)) && !isCommon(stem(part)))
      if (distinctive.length > 0 && some.join('').length >= 4) found.add(some.join(' '))
    }
  }
  return found
}
