// Messages for a value that does not fit its schema, in our own sentences after the field's name. Imported for its side effect: every
// schema of the process then uses them, unless a schema has a message of its own.
import { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  null: 'null',
  undefined: 'absent',
  never: 'absent',
  date: 'a date',
  nan: 'a number',
}
export const kindOf = (expected: string): string => kinds[expected] ?? expected

const formats: Readonly<Record<string, string>> = {
  datetime: 'an ISO time such as 2026-11-22T12:00:00Z',
  date: 'a date such as 2026-11-22',
  time: 'a time of day such as 12:00:00',
  duration: 'an ISO duration',
  url: 'a URL',
  uuid: 'a UUID',
  email: 'an e-mail address',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  base64: 'base64',
  base64url: 'base64url',
  hex: 'hexadecimal',
}

/** `a, b or c` */
export const eitherOf = (choices: readonly string[]): string =>
  choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

const counted = (origin: string, count: number | bigint): string =>
  origin === 'string' ? `${count} character${plural(count)}` : `${count} entr${Number(count) === 1 ? 'y' : 'ies'}`
const plural = (count: number | bigint): string => (Number(count) === 1 ? '' : 's')
const isNumber = (origin: string): boolean => ['number', 'int', 'bigint', 'date'].includes(origin)

/** Without the path, which is put before it. */
export function messageOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kindOf(issue.expected)}`
    case 'invalid_value': {
      const choices = eitherOf(issue.values.map((value) => JSON.stringify(value) ?? String(value)))
      return issue.input === undefined ? `is required: ${choices}` : `must be ${choices}`
    }
    case 'too_big': {
      const { origin, maximum, inclusive } = issue
      if (isNumber(origin)) return `must be ${inclusive === false ? 'below' : 'at most'} ${maximum}`
      return `must have at most ${counted(origin, maximum)}`
    }
    case 'too_small': {
      const { origin, minimum, inclusive } = issue
      if (isNumber(origin)) return `must be ${inclusive === false ? 'above' : 'at least'} ${minimum}`
      return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${counted(origin, minimum)}`
    }
    case 'invalid_format': {
      const known = formats[issue.format]
      if (known !== undefined) return `must be ${known}`
      return issue.pattern === undefined ? `must have the form ${issue.format}` : `must match ${issue.pattern}`
    }
    case 'not_multiple_of':
      return Number(issue.divisor) === 1 ? 'must be a whole number' : `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${issue.keys.slice(0, 5).join(', ')}`
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'has none of the accepted forms'
    case 'invalid_key':
      return 'has a key that is not accepted'
    case 'invalid_element':
      return 'has an entry that is not accepted'
    default:
      return 'is not valid'
  }
}

z.config({ customError: messageOf })
