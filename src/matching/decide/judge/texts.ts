// The texts of a market as they are sent, and which texts are not sent at all.
import { isPlain, plainText } from '#core/plainText'
import type { JudgeMarket, JudgeRequest } from './ports.ts'
import { comparable } from './quotations.ts'

/** What is sent of a market; quotations are looked up in it. */
export interface SentMarket {
  /** The question with placeholders. */
  pattern: string
  title: string
  subtitle: string | null
  eventTitle: string | null
  rules: string | null
  /** When trading ends; not the date of the event. */
  tradingCloses: string | null
}

/** A shortened text could lack the one clause that matters: longer ones are not sent. */
const titleMax = 1_000
const rulesMax = 12_000

/** Characters of no width, which separate nothing. */
const invisible = /[\u200b\u2060\ufeff\u00ad]/gu
/** Text that people do not see and models read. Flags of countries within countries contain some of it. */
const hidden = /[\u{e0000}-\u{e007f}]/u
const flag = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}/gu

const clean = (text: string): string => plainText(text.replace(invisible, '').replace(flag, '').toWellFormed())
const cleanOrNull = (text: string | null): string | null => (text === null || text.trim() === '' ? null : clean(text))

export const sentMarket = (market: JudgeMarket, pattern: string): SentMarket => ({
  pattern: clean(pattern),
  title: clean(market.title),
  subtitle: cleanOrNull(market.subtitle),
  eventTitle: cleanOrNull(market.eventTitle),
  rules: cleanOrNull(market.rules),
  tradingCloses: cleanOrNull(market.closeTime),
})

/** Titles, where the question itself is stated. */
export const questionTexts = ({ title, subtitle, eventTitle }: SentMarket): string[] =>
  [title, subtitle, eventTitle].filter((text) => text !== null)

export const allTexts = (market: SentMarket): string[] =>
  market.rules === null ? questionTexts(market) : [...questionTexts(market), market.rules]

/** Why these texts are not sent; null if they are. */
export function whyUnsuitable({ pair, a, b }: JudgeRequest): string | null {
  const patterns = [pair.a, pair.b]
  if (patterns.some((text) => text.length > titleMax)) return 'the question is too long'
  if (patterns.some((text) => text === '' || text.includes('\0') || !text.isWellFormed()))
    return 'the question cannot be stored'
  for (const market of [a, b]) {
    const titles = [market.title, market.subtitle ?? '', market.eventTitle ?? '']
    const texts = [...titles, market.rules ?? '']
    if (market.title.trim() === '') return `${market.key} has no title`
    if (titles.some((text) => text.length > titleMax)) return `a title of ${market.key} is too long`
    if (texts.some((text) => text.length > rulesMax)) return `the rules of ${market.key} are too long`
    if (texts.some((text) => hidden.test(text.replace(flag, '')))) return `${market.key} contains hidden text`
    if (texts.some(addressesModel)) return `${market.key} contains instructions for a language model`
  }
  return null
}

/**
 * What only text for a language model contains. Not complete: it spares requests, and what it does not find must still pass the checks of the
 * answer.
 */
const instructions: readonly RegExp[] = [
  /<\|[^|<>]{1,40}\|>|\[\/?inst\]|<\/?(?:system|assistant|user|instructions?|prompt)>|#{2,} ?(?:system|assistant|instructions?)\b/,
  /(?:^|\n|\. )\s*(?:system|assistant|developer) ?(?:prompt|message)? ?:/,
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,80}\b(?:instructions?|prompts?|checklist|schema)\b/,
  /\b(?:your|new|following|previous|prior|system) (?:instructions?|prompts?) (?:is|are|say)\b|\bsystem prompt\b/,
  /\b(?:note|message|instructions?|attention|hint|reminder) (?:to|for) (?:all |any |the |an? )*(?:ai|llms?|language models?|models?|judges?|graders?|assistants?|reviewers?|matchers?|bots?)\b/,
  /\b(?:if|when|since|because) you(?:'re| are) (?:an? |the )?(?:ai|llm|large language model|language model|automated|bot|matcher|judge)\b/,
  /\byou(?:'re| are) (?:now |an? )*(?:ai|llm|language model|helpful assistant|assistant|judge|grader)\b/,
  /\b(?:answer|respond|reply|return|output|write|say|print|emit)\b[^.\n]{0,60}(?:"same"|'same'|\bjson\b|\bverdict\b|\bchecklist\b)/,
  /\b(?:mark|set|label|grade|classify|rate|fill)\b[^.\n]{0,60}\b(?:(?:all|any|each|every) (?:items?|fields?)|verdicts?|checklist|polarity)\b/,
  /["'](?:verdict|polarity|edgecases|threshold)["'] ?:/,
  /\b(?:both|these|the two) (?:markets|questions|texts|patterns) (?:are|must be|should be|have to be) (?:considered |treated as |marked |judged )?(?:the )?(?:same|equal|identical|equivalent)\b/,
]

export function addressesModel(text: string): boolean {
  const read = comparableLines(text)
  return instructions.some((pattern) => pattern.test(read))
}

/** Line breaks are kept: a role is written at the beginning of a line. */
const comparableLines = (text: string): string =>
  text
    .replace(invisible, '')
    .split('\n')
    .map((line) => comparable(isPlain(line) ? line : plainText(line)))
    .join('\n')
