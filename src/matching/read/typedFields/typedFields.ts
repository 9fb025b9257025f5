// What a question states, field by field, in a form that can be compared; `unspecified` if its words leave the field open.

import { primary } from '../../compare/fields/dates.ts'
import { dayText } from '../dateParser.ts'
import type { FeatureKind } from '../features.ts'
import type { Question } from '../question.ts'
import { intervalText } from '../thresholdParser.ts'
import { mentionsOf } from './mentions.ts'

export const unspecified = 'unspecified'

export const typedFieldNames = [
  'who',
  'act',
  'office',
  'place',
  'date',
  'threshold',
  'stage',
  'source',
  'polarity',
  'sport',
  'game',
] as const
export type TypedField = (typeof typedFieldNames)[number]
export type TypedFields = Readonly<Record<TypedField, string>>

/** Kinds of features that belong to each field. */
export const fieldKinds = {
  who: ['team', 'party', 'asset', 'group', 'division'],
  act: ['action', 'metric', 'basis', 'decision', 'form', 'rank', 'event'],
  office: ['office', 'scope'],
  place: ['place', 'district'],
  stage: ['stage', 'period'],
  sport: ['league'],
} as const satisfies Partial<Record<TypedField, readonly FeatureKind[]>>

const cache = new WeakMap<Question, TypedFields>()

export function typedFieldsOf(q: Question): TypedFields {
  const known = cache.get(q)
  if (known !== undefined) return known
  const fields = readTypedFields(q)
  cache.set(q, fields)
  return fields
}

function readTypedFields(q: Question): TypedFields {
  const subject = mentionsOf(q).subject
  return {
    who: joined([...(subject === null ? [] : [subject.value]), ...valuesOf(q, fieldKinds.who)]),
    act: joined(valuesOf(q, fieldKinds.act)),
    office: joined(valuesOf(q, fieldKinds.office)),
    place: joined(valuesOf(q, fieldKinds.place)),
    date: dateOf(q),
    threshold: joined([...q.intervals.map(intervalText), ...q.numbers.map(String)]),
    stage: joined(valuesOf(q, fieldKinds.stage)),
    source: joined(q.settlement.sources),
    // A sentence without a negation affirms.
    polarity: q.negated ? 'denied' : 'affirmed',
    sport: joined(valuesOf(q, fieldKinds.sport)),
    game: q.matchup === null ? unspecified : joined(q.matchup.names),
  }
}

const joined = (values: readonly string[]): string => (values.length === 0 ? unspecified : values.join(', '))

const valuesOf = (q: Question, kinds: readonly FeatureKind[]): string[] =>
  kinds.flatMap((kind) => (q.features[kind] ?? []).map((value) => `${kind} ${value}`))

function dateOf(q: Question): string {
  const date = primary(q)
  if (date === null) return unspecified
  const { span, role, month, day } = date
  if (span === null) return `${role} month ${month ?? '?'} day ${day ?? '?'}`
  return role === 'deadline' ? `by ${dayText(span.to)}` : `${role} ${dayText(span.from)} to ${dayText(span.to)}`
}

/** A year that anything about the question names: its words, its id, its rules or its close. */
export const isDated = ({ dates, years }: Question): boolean =>
  dates.length > 0 || years.stated.length > 0 || years.id !== null || years.rules.length > 0 || years.close !== null
