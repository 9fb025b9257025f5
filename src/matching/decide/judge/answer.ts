// Reads a model's answer. It counts only as a complete checklist, with quotations that are in the texts; what a quotation cannot prove becomes
// `unclear`.
import { Checklist, type ChecklistField, type ChecklistItem, checklistFields, type ItemVerdict } from './checklist.ts'
import type { SentPair } from './prompt.ts'
import { contradictInAmounts, contradictInYears, isQuotedFrom } from './quotations.ts'
import { allTexts, questionTexts } from './texts.ts'

/** A checklist whose quotations are in the texts, or why the answer does not count. */
export type ReadAnswer = { checklist: Checklist } | { problem: string }

/** Longer than any complete checklist. */
const answerMax = 64 * 1024

/** The checklist as it was written: nothing of it is verified. */
export function parseAnswer(text: string): ReadAnswer {
  if (text.length > answerMax) return { problem: 'the answer is too long' }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { problem: 'the answer is not JSON' }
  }
  const parsed = Checklist.safeParse(json)
  if (parsed.success) return { checklist: parsed.data }
  const where = parsed.error.issues[0]?.path.map(String).join('.') ?? ''
  return { problem: `the answer is not a complete checklist${where === '' ? '' : `: ${where.slice(0, 60)}`}` }
}

/** To an answer about this pair. */
export function readAnswer(text: string, { first, second }: SentPair): ReadAnswer {
  const read = parseAnswer(text)
  if ('problem' in read) return read
  const [ofFirst, ofSecond] = [allTexts(first), allTexts(second)]
  for (const field of checklistFields) {
    const item = read.checklist[field]
    if (item.first !== null && !isQuotedFrom(item.first, ofFirst))
      return { problem: `${field}: the first quotation is not in the text` }
    if (item.second !== null && !isQuotedFrom(item.second, ofSecond))
      return { problem: `${field}: the second quotation is not in the text` }
  }
  const checklist = mapItems(read.checklist, (item, field) => ({
    ...item,
    verdict: proven(field, item, questionTexts(first), questionTexts(second)),
  }))
  return { checklist }
}

/** The same checklist for the other order of the sides. */
export const turnedChecklist = (checklist: Checklist): Checklist =>
  mapItems(checklist, (item) => ({ ...item, first: item.second, second: item.first }))

const mapItems = (
  checklist: Checklist,
  change: (item: ChecklistItem, field: ChecklistField) => ChecklistItem,
): Checklist =>
  Object.fromEntries(checklistFields.map((field) => [field, change(checklist[field], field)] as const)) as Checklist

/** Every question states these, in its titles. */
const alwaysStated: ReadonlySet<ChecklistField> = new Set(['who', 'act', 'polarity'])

/** A title with such words states the item. */
const stating: Partial<Readonly<Record<ChecklistField, RegExp>>> = {
  date: /\b(?:19|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september|october|november|december|q[1-4]|today|tomorrow|tonight|(?:this|next) (?:week|month|quarter|year|season|term))\b/i,
  threshold:
    /[%$€£<>≥≤]|\b(?:above|below|at least|at most|more than|less than|fewer than|or (?:more|less|fewer|higher|lower|above|below)|majority|most)\b/i,
}

/** The verdict as far as the quotations support it. `titles`: those of the first and of the second market. */
function proven(
  field: ChecklistField,
  { first, second, verdict }: ChecklistItem,
  firstTitles: readonly string[],
  secondTitles: readonly string[],
): ItemVerdict {
  if (first === null || second === null) {
    // Neither side states it, and the titles do not contradict that.
    const titles = [...firstTitles, ...secondTitles]
    const isAbsent = first === null && second === null && !titles.some((text) => stating[field]?.test(text))
    return verdict === 'same' && isAbsent && !alwaysStated.has(field) ? 'same' : 'unclear'
  }
  if (verdict !== 'same') return verdict
  const isInTitles = isQuotedFrom(first, firstTitles) && isQuotedFrom(second, secondTitles)
  if (alwaysStated.has(field) && !isInTitles) return 'unclear'
  if (contradictInYears(first, second)) return 'unclear'
  return field === 'threshold' && contradictInAmounts(first, second) ? 'unclear' : 'same'
}

export interface Combined {
  verdict: 'same' | 'different' | 'undecided'
  reason: string
}

/** Of two answers about one pair, both with the sides in the same order. */
export function combine(one: Checklist, other: Checklist): Combined {
  const open = checklistFields
    .map((field) => ({ field, x: one[field].verdict, y: other[field].verdict }))
    .filter(({ x, y }) => x !== 'same' || y !== 'same')
  if (open.length === 0) return { verdict: 'same', reason: 'every item is the same in both passes' }
  // Of two opposite questions one answer follows from the other: a person may see that they are one question.
  const contrary = open.filter(({ field, x, y }) => field !== 'polarity' && x === 'different' && y === 'different')
  if (contrary.length > 0)
    return { verdict: 'different', reason: `both passes differ in: ${contrary.map(({ field }) => field).join(', ')}` }
  const words = open.map(({ field, x, y }) =>
    x === y ? `${field} is ${x}` : `${field} is ${x} in one pass and ${y} in the other`,
  )
  return { verdict: 'undecided', reason: words.join('; ').slice(0, 500) }
}
