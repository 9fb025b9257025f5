// Titles of an outcome and its question. Three styles coexist: plain names, templates, and the venue's own recurring price markets, whose
// name is `Recurring` and whose terms are in the description.
import type { HyperOutcome, HyperQuestion } from '../wire.ts'
import {
  type Fields,
  fieldsOf,
  fill,
  sideLabel,
  slugOf,
  type Templates,
  templateOf,
  timeMs,
  timeText,
} from './enumMaps.ts'

/** The part of a question needed to name its outcomes; a settled one has less. */
export type QuestionHead = Pick<HyperQuestion, 'question' | 'name' | 'description'>

interface Named {
  name: string
  description?: string | null | undefined
}

export interface Texts {
  title: string
  description: string
  slug: string
  /** Keywords of the description; the outcome's own override its question's. */
  fields: Fields
  /** ISO; null when the venue states no time. */
  resolvesAt: string | null
}

export interface OutcomeTexts extends Texts {
  /** Side 0, side 1. */
  labels: [string, string]
}

export function questionTexts(question: QuestionHead, templates: Templates): Texts {
  const fields = fieldsOf(question.description ?? '')
  const title = templated(question, fields, templates) ?? bucketQuestion(fields) ?? plain(question)
  return { title, ...rest(title, question, fields, templates) }
}

export function outcomeTexts(outcome: HyperOutcome, question: QuestionHead | null, templates: Templates): OutcomeTexts {
  const own = fieldsOf(outcome.description ?? '')
  const above = question === null ? {} : fieldsOf(question.description ?? '')
  const fields = { ...above, ...own }
  const recurring = priceBinary(own) ?? priceBucket(above, own)
  const name = templated(outcome, fields, templates) ?? plain(outcome)
  const title =
    recurring ?? (question === null ? name : `${questionTexts(question, templates).title.replace(/\?$/, '')}: ${name}`)
  const texts = rest(title, outcome, fields, templates)
  return {
    title,
    ...texts,
    description: texts.description || (question === null ? '' : questionTexts(question, templates).description),
    labels: [sideLabel(outcome.sideSpecs[0].name, fields), sideLabel(outcome.sideSpecs[1].name, fields)],
  }
}

/** Keys that determine the resolution time; the first that parses as a time wins. */
const timeKeys = ['time', 'expiry', 'resolutionDeadline', 'decisionDeadline', 'scheduledDecision'] as const

function rest(title: string, { name, description }: Named, fields: Fields, templates: Templates): Omit<Texts, 'title'> {
  const template = templateOf(name, templates)
  const rules = template?.description ? fill(template.description, fields, template) : null
  const at = timeKeys.map((key) => timeMs(fields[key] ?? '')).find((ms) => ms !== null) ?? null
  return {
    description: rules ?? description ?? '',
    slug: slugOf(title),
    fields,
    resolvesAt: at === null ? null : new Date(at).toISOString(),
  }
}

function templated({ name }: { name: string }, fields: Fields, templates: Templates): string | null {
  const template = templateOf(name, templates)
  return template === null ? null : fill(template.name, fields, template)
}

/** An unknown template is shown with its keywords, so that markets can be distinguished. */
const plain = ({ name, description }: Named): string =>
  name.startsWith('template:') ? `${name.slice('template:'.length)} ${description ?? ''}`.trim() : name

function priceBinary({ class: kind, underlying, expiry, targetPrice }: Fields): string | null {
  const at = timeText(expiry ?? '')
  if (kind !== 'priceBinary' || !underlying || !targetPrice || at === null) return null
  return `${underlying} above ${targetPrice} at ${at}?`
}

function bucketQuestion({ class: kind, underlying, expiry }: Fields): string | null {
  const at = timeText(expiry ?? '')
  return kind === 'priceBucket' && underlying && at !== null ? `${underlying} price at ${at}` : null
}

/** `index` counts the ranges from the lowest. */
function priceBucket(question: Fields, { index }: Fields): string | null {
  const { underlying, expiry, priceThresholds } = question
  const at = timeText(expiry ?? '')
  const steps = (priceThresholds ?? '').split(',').map((step) => step.trim())
  const range = /^\d{1,3}$/.test(index ?? '') ? Number(index) : -1
  if (bucketQuestion(question) === null || at === null || steps.includes('')) return null
  if (range < 0 || range > steps.length) return null
  if (range === 0) return `${underlying} below ${steps[0]} at ${at}?`
  if (range === steps.length) return `${underlying} above ${steps.at(-1)} at ${at}?`
  return `${underlying} from ${steps[range - 1]} to ${steps[range]} at ${at}?`
}
