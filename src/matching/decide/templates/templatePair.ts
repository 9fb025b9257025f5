// Two questions without what they share. Only what both texts name, with the same value, is replaced by a placeholder; everything else
// stays as written, so that a decision on the two texts says nothing about other words.
import { createHash } from 'node:crypto'
import type { Question } from '../../read/question.ts'
import { stem } from '../../read/text.ts'
import { type Mention, type Mentions, mentionsOf } from '../../read/typedFields/mentions.ts'
import { isStop } from '../../read/vocabulary.ts'

export type SlotKind = 'person' | 'place' | 'date' | 'amount' | 'team' | 'party' | 'organization' | 'name'

/** One placeholder, with what it replaces in the first and in the second text. */
export interface TemplateSlot {
  /** As written in both texts: `{person}`, `{date 2}`. */
  placeholder: string
  kind: SlotKind
  a: string
  b: string
}

/** A decision on the two texts applies to every pair of questions that reduces to them. */
export interface TemplatePair {
  /** The first 32 hex digits of the SHA-256 of both texts, joined by a newline. */
  key: string
  /** The two texts, sorted. */
  a: string
  b: string
  slots: readonly TemplateSlot[]
  /** The first text is the second question's. */
  turned: boolean
}

/** Longer texts are not reduced: they cannot be reviewed. */
const lengthMax = 600
/** Characters of placeholders: a text that contains one could be taken for another template. */
const reserved = /[{}\n]/

/** Null if the two share nothing that can be replaced, or are about a game, which typed fields decide. */
export function templatePairOf(a: Question, b: Question): TemplatePair | null {
  if (a.matchup !== null || b.matchup !== null || a.key === b.key) return null
  const [mine, other] = [mentionsOf(a), mentionsOf(b)]
  if ([mine, other].some(({ text }) => text.length > lengthMax || reserved.test(text))) return null
  const slots = sharedSlots(mine, other)
  if (slots.length === 0) return null
  const forward = reduced(mine, other, slots, false)
  const backward = reduced(other, mine, slots, true)
  // Numbered from either side; the same one is chosen whichever question comes first.
  return `${forward.a}\n${forward.b}` <= `${backward.a}\n${backward.b}` ? forward : backward
}

/** Share of the words and placeholders of the shorter text that the longer one must also have. */
const sharedLeast = 0.4

/**
 * False if the two have hardly more than a topic in common: "Will Trump pardon X?" and "Will Trump visit Y?" need no decision.
 */
export function isRelated({ a, b }: Pick<TemplatePair, 'a' | 'b'>): boolean {
  const [x, y] = [partsOf(a), partsOf(b)]
  let shared = 0
  for (const part of x) if (y.has(part)) shared++
  return shared >= 2 && shared >= sharedLeast * Math.min(x.size, y.size)
}

/** Placeholders and stems of significant words. */
const partsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/\{[^}]*\}|[\p{L}\p{N}]+/gu) ?? [])
      .filter((word) => word.startsWith('{') || !isStop(word))
      .map((word) => (word.startsWith('{') ? word : stem(word))),
  )

export const templateKey = ({ a, b }: { a: string; b: string }): string =>
  createHash('sha256').update(`${a}\n${b}`).digest('hex').slice(0, 32)

interface Slot {
  kind: SlotKind
  id: string
  /** As written in the two questions. */
  mine: string
  other: string
}

const idOf = ({ kind, value }: Mention): string => `${kind} ${value}`

/** What both name, each value once. */
function sharedSlots(mine: Mentions, other: Mentions): Slot[] {
  const slots = new Map<string, Slot>()
  for (const mention of mine.list) {
    const id = idOf(mention)
    const same = other.list.filter((each) => idOf(each) === id)
    if (same.length === 0 || slots.has(id)) continue
    const quoted = [...mine.list.filter((each) => idOf(each) === id), ...same].some((each) => each.quoted)
    slots.set(id, { kind: slotKind(mention, quoted), id, mine: mention.text, other: same[0]!.text })
  }
  return [...slots.values()]
}

const organization =
  /\b(?:inc|corp|corporation|company|group|bank|university|college|institute|foundation|association|airlines|motors|labs?|studios?|pictures|records|fc|afc|cf)\b/

function slotKind({ kind, value }: Mention, quoted: boolean): SlotKind {
  if (kind !== 'name') return kind
  if (quoted) return 'name'
  if (organization.test(value)) return 'organization'
  return isPersonLike(value) ? 'person' : 'name'
}

/** Two to four words without a digit. */
export const isPersonLike = (value: string): boolean => /^\p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*){1,3}$/u.test(value)

function reduced(first: Mentions, second: Mentions, slots: readonly Slot[], turned: boolean): TemplatePair {
  const names = placeholders(first, slots)
  const [one, two] = [replaced(first, names), replaced(second, names)]
  const swapped = one > two
  const [a, b] = swapped ? [two, one] : [one, two]
  // The first text is the second question's if exactly one of the two exchanges happened.
  const isTurned = swapped !== turned
  return {
    key: templateKey({ a, b }),
    a,
    b,
    slots: slots
      .map(({ kind, id, mine, other }) => ({
        placeholder: names.get(id)!,
        kind,
        a: isTurned ? other : mine,
        b: isTurned ? mine : other,
      }))
      .sort((x, y) => (x.placeholder < y.placeholder ? -1 : 1)),
    turned: isTurned,
  }
}

/** Numbered within their kind, by their order in one text. */
function placeholders({ list }: Mentions, slots: readonly Slot[]): Map<string, string> {
  const order = new Map<string, number>()
  for (const mention of list) if (!order.has(idOf(mention))) order.set(idOf(mention), order.size)
  const names = new Map<string, string>()
  for (const kind of new Set(slots.map((slot) => slot.kind))) {
    const own = slots.filter((slot) => slot.kind === kind).sort((x, y) => order.get(x.id)! - order.get(y.id)!)
    for (const [at, { id }] of own.entries()) names.set(id, own.length === 1 ? `{${kind}}` : `{${kind} ${at + 1}}`)
  }
  return names
}

function replaced({ text, list }: Mentions, names: ReadonlyMap<string, string>): string {
  let out = ''
  let at = 0
  for (const mention of list) {
    const name = names.get(idOf(mention))
    if (name === undefined) continue
    out += text.slice(at, mention.start) + name
    at = mention.end
  }
  return out + text.slice(at)
}
