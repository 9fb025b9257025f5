// What two markets state, field by field: their own texts, and what the matcher reads of them.
import type { ReviewedField } from '#schemas/matchReview'
import { closeMillis, type MatchInput } from '../../read/input.ts'
import { readQuestion } from '../../read/parsedMarket.ts'
import { typedFieldNames, typedFieldsOf, unspecified } from '../../read/typedFields/typedFields.ts'

type Read = (input: MatchInput) => string | null | undefined

const texts: readonly [field: string, read: Read][] = [
  ['title', ({ title }) => title],
  ['answer', ({ subtitle }) => subtitle],
  ['event', ({ eventTitle }) => eventTitle],
  ['outcomes', ({ outcomes }) => outcomes?.join(' / ')],
  ['strike', strikeOf],
  ['closes', closesOf],
  ['game starts', ({ gameStart }) => gameStart],
  ['settled by', ({ resolutionSource }) => resolutionSource],
  ['category', ({ category }) => category],
]
const rules: readonly [field: string, read: Read][] = [['rules', ({ rules }) => rules]]

export const alignFields = (a: MatchInput, b: MatchInput): ReviewedField[] => [
  ...alignTexts(a, b, texts),
  ...alignTyped(a, b),
  ...alignTexts(a, b, rules),
]

/** Fields that neither market has are left out. */
function alignTexts(a: MatchInput, b: MatchInput, fields: typeof texts): ReviewedField[] {
  return fields.flatMap(([field, read]) => {
    const [one, other] = [textOf(read(a)), textOf(read(b))]
    return one === null && other === null ? [] : [{ field, a: one, b: other, equal: sameText(one, other) }]
  })
}

/** As the matcher reads them; a sentence without a negation need not be reported. */
function alignTyped(a: MatchInput, b: MatchInput): ReviewedField[] {
  const [one, other] = [typedFieldsOf(readQuestion(a)), typedFieldsOf(readQuestion(b))]
  return typedFieldNames.flatMap((field) => {
    const isOpen = (value: string): boolean => value === unspecified || (field === 'polarity' && value === 'affirmed')
    if (isOpen(one[field]) && isOpen(other[field])) return []
    const [first, second] = [one[field], other[field]].map((value) => (value === unspecified ? null : value))
    return [{ field, a: first ?? null, b: second ?? null, equal: one[field] === other[field] }]
  })
}

const textOf = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

/** Case and spaces do not count. */
const sameText = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && folded(one) === folded(other)
const folded = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ')

function strikeOf({ strikeType, floorStrike, capStrike }: MatchInput): string | null {
  const bounds = [floorStrike, capStrike].flatMap((bound) => bound ?? [])
  if (bounds.length === 0) return null
  return [strikeType?.replaceAll('_', ' '), bounds.join(' to ')].filter(Boolean).join(' ')
}

/** ISO text, so that equal times are equal texts. */
function closesOf({ closeTime }: MatchInput): string | null {
  const millis = closeMillis(closeTime)
  return millis === null || Math.abs(millis) > latestMs ? null : new Date(millis).toISOString()
}

/** The latest date that JavaScript can write. */
const latestMs = 8.64e15
