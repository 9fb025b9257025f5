// Whether a listed "Other" makes the answers of an event complete: its own words must cover everything that the others do not, the list must not grow
// into it, and the case without a winner must belong to some answer. Anything unproven is reported below `verified`, with the reason.
import { canBeVoid } from '../compare/fields/rules.ts'
import type { Listing } from '../read/input.ts'
import { hasNoSubject, isComplete, isPlaceholderName, listedPhrase, wholePhrase } from '../read/placeholderOutcomes.ts'
import type { Question } from '../read/question.ts'

export interface CatchAll {
  complete: boolean
  band: 'verified' | 'minor'
  /** What is unresolved or contradicts it. */
  reason: string | null
}

/** Null if no market of the event is its remainder. `exclusive`: those of which the venue states that at most one comes true. */
export function remainderOf(
  markets: readonly Question[],
  exclusive: readonly Question[],
  listing: Listing,
): CatchAll | null {
  const [rest, ...more] = exclusive.filter(({ unnamed }) => unnamed === 'rest')
  if (rest === undefined) return null
  const refused = more.length > 0 ? 'two answers are catch-alls' : refusal(rest, markets, exclusive, listing)
  if (refused !== null) return { complete: false, band: 'verified', reason: `not complete: ${refused}` }
  const named = exclusive.filter((each) => each !== rest)
  const open = uncertainty(rest, named, markets, listing)
  return { complete: true, band: open === null ? 'verified' : 'minor', reason: open }
}

/** What makes it certainly incomplete, or a guess. */
function refusal(
  rest: Question,
  markets: readonly Question[],
  exclusive: readonly Question[],
  { open, grows }: Listing,
): string | null {
  if (!isComplete(rest.label, rest.text)) return `"${nameOf(rest)}" may be less than all that is not listed`
  if (exclusive.length < markets.length)
    return 'the venue leaves a market of the event out of those that exclude each other'
  if (open !== null && open > markets.length) {
    const hidden = `${open - markets.length} of the event's answers cannot be bought here and may come true`
    return grows === true ? `${hidden}; what is named later is taken out of "${nameOf(rest)}"` : hidden
  }
  if (grows === true && open === null) return `what is named later is taken out of "${nameOf(rest)}"`
  return null
}

const nameOf = ({ label, text }: Question): string => (label === '' ? text : label)

function uncertainty(
  rest: Question,
  named: readonly Question[],
  markets: readonly Question[],
  { open, grows }: Listing,
): string | null {
  if (rest.rules === '') return `no rules say what "${nameOf(rest)}" covers`
  if (named.some((each) => !isWordedAlike(rest, each))) return `"${nameOf(rest)}" is worded differently from the rest`
  const closed = grows !== null && open === markets.length
  if (!namesAll(rest, named) && !(closed && coversUnlisted(rest.rules)))
    return coversUnlisted(rest.rules)
      ? `"${nameOf(rest)}" covers what is not listed, and nothing states that the list is closed`
      : `the rules of "${nameOf(rest)}" do not say that it covers everything the others do not`
  return coversNoWinner(rest, named) ? null : 'there may be no winner, and then no answer comes true'
}

/** The question without its appended label. */
const stem = ({ label, text }: Question): string =>
  (label !== '' && text.endsWith(` : ${label}`) ? text.slice(0, -label.length - 3) : text).toLowerCase()

/** One title for all, or titles that differ only in who is named. */
function isWordedAlike(rest: Question, other: Question): boolean {
  const [mine, theirs] = [stem(rest), stem(other)]
  if (mine === theirs) return rest.label !== '' && other.label !== ''
  const found = wholePhrase.exec(mine) ?? /\bothers?\b/.exec(mine)
  if (found === null) return false
  const [head, tail] = [mine.slice(0, found.index), mine.slice(found.index + found[0].length)]
  return theirs.length > head.length + tail.length && theirs.startsWith(head) && theirs.endsWith(tail)
}

const trigger = /\b(?:other than|besides|apart from|except(?: for)?|neither|none of)(?: the following)?:? /gi
const joint = /^(?:and|or|nor|the|either|both|mr|ms|mrs|dr)$/i

/** "Other than A, B and C": every other answer by name, and nothing else. */
function namesAll({ rules }: Question, named: readonly Question[]): boolean {
  if (named.some(({ label, unnamed }) => label === '' || unnamed !== null)) return false
  for (const match of rules.matchAll(trigger)) {
    const left = new Set(named)
    let at = match.index + match[0].length
    for (;;) {
      at += /^[\s,;"'()&]*/.exec(rules.slice(at, at + 20))![0].length
      const text = rules.slice(at, at + 200)
      const next = [...left].find(({ label }) => begins(text, label))
      const word = next === undefined ? (/^[\p{L}\p{N}.'-]+/u.exec(text)?.[0] ?? '') : next.label
      if (next !== undefined) left.delete(next)
      else if (!joint.test(word)) break
      at += word.length
      // "Democratic" for the answer "Democrat".
      if (next !== undefined) at += /^\p{L}*/u.exec(rules.slice(at, at + 12))![0].length
    }
    // A capital is the next name of the list.
    if (left.size === 0 && !/^\p{Lu}|^\p{N}/u.test(rules.slice(at))) return true
  }
  return false
}

const begins = (text: string, label: string): boolean => {
  const plain = label.replace(/^the /i, '').toLowerCase()
  if (!text.toLowerCase().startsWith(plain)) return false
  return /^(?:ic|s|'s|ers?)?(?![\p{L}\p{N}])/iu.test(text.slice(plain.length))
}

const toOther =
  /\b(?:if|where|when|should|in the event(?: that)?) ([^.;\n]{3,240}?),? (?:then )?(?:this|the|these|all) (?:markets?|contracts?) (?:will |shall |should )?resolves? (?:to )?["']?other\b/gi

/** The rules mean everything that is not listed, without narrowing it. */
const coversUnlisted = (rules: string): boolean =>
  listedPhrase.test(rules) ||
  [...rules.matchAll(toOther)].some(([, clause = '']) => wholePhrase.test(clause) || listedPhrase.test(clause))

const noneWins =
  /\b(?:cancell?ed|postponed|abandoned|void|no (?:such|winner|nominee|one|candidate|team|film|person|decision)|nobody|not (?:been )?(?:held|announced|decided|declared|determined|known|awarded|take place|occur))\b/i
const ofNone = /\b(?:if|where|when) none of (?:the|those|these)\b/i
const resolvesNo = /\bresolves? (?:to )?["']?no\b/i

/** Some answer covers the case without a winner, or a contest always has a winner. */
function coversNoWinner(rest: Question, named: readonly Question[]): boolean {
  if (hasNoSubject(rest.label) || named.some(({ label }) => isPlaceholderName(label)) || ofNone.test(rest.rules))
    return true
  if ([...rest.rules.matchAll(toOther)].some(([, clause = '']) => noneWins.test(clause))) return true
  const all = [rest, ...named]
  if (all.some((each) => canBeVoid(each) || resolvesNoWithoutWinner(each.rules))) return false
  return named.every(
    ({ proposition }) => proposition?.frame.unique !== undefined && proposition.frame.window !== 'open',
  )
}

/** "If no winner is declared by July 1, the market resolves to No." */
const resolvesNoWithoutWinner = (rules: string): boolean =>
  rules.split(/(?<=[.;])\s|\n/).some((sentence) => noneWins.test(sentence) && resolvesNo.test(sentence))
