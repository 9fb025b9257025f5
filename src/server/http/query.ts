// Parses a raw query string into text values. No coercion here: the route interprets values.
import { Fault } from '#core/fault'
import type { QueryValues } from './defineRoute.ts'
import { checkText, isPrototypePolluting } from './jsonBody.ts'

/** Longest query string read, characters. */
export const queryCharsMax = 16_384
/** Maximum `name=value` pairs read. */
export const queryPairsMax = 256

const none: QueryValues = Object.freeze({})

export function parseQuery(raw: string): QueryValues {
  if (raw === '') return none
  if (raw.length > queryCharsMax)
    throw new Fault('VALIDATION_ERROR', `the query is longer than ${queryCharsMax} characters`)
  const values: Record<string, string | string[]> = {}
  let pairs = 0
  for (let from = 0; from <= raw.length; ) {
    const ampersand = raw.indexOf('&', from)
    const end = ampersand < 0 ? raw.length : ampersand
    if (end > from) {
      if (++pairs > queryPairsMax)
        throw new Fault('VALIDATION_ERROR', `the query has more than ${queryPairsMax} parameters`)
      readPair(raw.slice(from, end), values)
    }
    from = end + 1
  }
  return values
}

function readPair(pair: string, values: Record<string, string | string[]>): void {
  const equals = pair.indexOf('=')
  const name = decode(equals < 0 ? pair : pair.slice(0, equals))
  const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
  if (isPrototypePolluting(name)) throw new Fault('VALIDATION_ERROR', `the parameter "${name}" is not allowed`)
  const before = values[name]
  if (before === undefined) values[name] = value
  else if (Array.isArray(before)) before.push(value)
  else values[name] = [before, value]
}

export function decode(text: string): string {
  let plain = text
  if (text.includes('+')) plain = plain.replaceAll('+', ' ')
  if (!plain.includes('%')) return plain
  return decodePercent(plain)
}

/** Percent-decoding only: in a path a plus is a plus. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  let decoded: string
  try {
    decoded = decodeURIComponent(text)
  } catch (cause) {
    throw new Fault('VALIDATION_ERROR', 'the URL contains a malformed percent escape', { cause })
  }
  checkText(decoded)
  return decoded
}
