// Whether a quotation is in a text, and whether two quotations contradict each other in their figures.
import { scale as scaleOf } from '../../read/thresholdParser.ts'

/** The form in which quotations and texts are compared: models straighten quotes and dashes and join lines. */
export const comparable = (text: string): string =>
  text
    .replace(/[‘’‛′`´]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()

const letter = /[\p{L}\p{N}]/u
/** A single letter is in every text. */
const lettersMin = 2

/** In one of the texts, as whole words. */
export function isQuotedFrom(quotation: string, texts: readonly string[]): boolean {
  const wanted = comparable(quotation)
  if ((wanted.match(/[\p{L}\p{N}]/gu) ?? []).length < lettersMin) return false
  return texts.some((text) => hasWords(comparable(text), wanted))
}

function hasWords(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const opens = at === 0 || !letter.test(text[at - 1]!) || !letter.test(wanted[0]!)
    const closes = end === text.length || !letter.test(text[end]!) || !letter.test(wanted.at(-1)!)
    if (opens && closes) return true
  }
  return false
}

const year = /\b(?:19|20)\d{2}\b/g
const isYear = /^(?:19|20)\d{2}$/
/** "Before 2027" and "before 1 January 2027" are "by the end of 2026". */
const newYear =
  /\b(?:before|prior to|until|start of|beginning of) (?:19|20)\d{2}\b|\b(?:jan(?:uary|\.)? 1(?:st)?,?|1(?:st)? jan(?:uary|\.)?,?) (?:19|20)\d{2}\b/

/** Both name years, and not the same ones. */
export function contradictInYears(one: string, other: string): boolean {
  const [x, y] = [yearsOf(one), yearsOf(other)]
  if (x.length === 0 || y.length === 0 || x.some((each) => y.includes(each))) return false
  const [earlier, later] = Math.max(...x) < Math.max(...y) ? [x, y] : [y, x]
  const isSameMoment =
    Math.max(...later) - Math.max(...earlier) === 1 && newYear.test(comparable(later === x ? one : other))
  return !isSameMoment
}

const yearsOf = (text: string): number[] => (text.match(year) ?? []).map(Number)

const amount = /(\d[\d,]*(?:\.\d+)?)\s*(k|thousand|m|mn|million|b|bn|billion|t|tn|trillion)?(?![\p{L}\p{N}])/gu

/** Both name amounts, and no amount of one is in the other. */
export function contradictInAmounts(one: string, other: string): boolean {
  const [x, y] = [amountsOf(one), amountsOf(other)]
  return x.length > 0 && y.length > 0 && !x.some((each) => y.includes(each))
}

const amountsOf = (text: string): number[] =>
  [...comparable(text).matchAll(amount)].flatMap(([found, digits, scale]) =>
    isYear.test(found.trim()) ? [] : Number(digits!.replaceAll(',', '')) * (scale === undefined ? 1 : scaleOf[scale]!),
  )
