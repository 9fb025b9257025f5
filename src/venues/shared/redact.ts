// Credentials that a venue repeats in its answer, in any usual encoding, must not be stored or logged.
import type { Secret } from '#core/secret'
import type { SendOutcome } from '#net/http'

/** No venue's answer is this deep: anything deeper is left out. */
const depthMax = 64
/** Shorter ones would match by chance and damage the answer. */
const lengthMin = 8

export const redact = (text: string, secrets: readonly Secret[]): string => cleaned(text, formsOfAll(secrets))

/** For many texts and the same secrets. */
export function redactor(secrets: readonly Secret[]): (text: string) => string {
  const forms = formsOfAll(secrets)
  return (text) => cleaned(text, forms)
}

export const redactAnswer = (sent: SendOutcome, secrets: readonly Secret[]): SendOutcome =>
  sent.kind === 'answered' ? { ...sent, text: redact(sent.text, secrets) } : sent

/** For a parsed answer: every text in it, including the names of members. */
export function redactBody(body: unknown, secrets: readonly Secret[]): unknown {
  const forms = formsOfAll(secrets)
  const clean = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return cleaned(value, forms)
    if (typeof value !== 'object' || value === null) return value
    if (depth > depthMax) return null
    if (Array.isArray(value)) return value.map((each) => clean(each, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [cleaned(name, forms), clean(each, depth + 1)]),
    )
  }
  return clean(body, 0)
}

/** A page of orders has tens of thousands of texts, most of them shorter than any line of a key. */
function cleaned(text: string, forms: readonly Form[]): string {
  let clean = text
  for (const { pattern, length } of forms) if (length <= clean.length) clean = clean.replaceAll(pattern, '[secret]')
  return clean
}

interface Form {
  pattern: string | RegExp
  /** Of the shortest text that it matches. */
  length: number
}

/** Once per answer, however many texts it has. */
function formsOfAll(secrets: readonly Secret[]): Form[] {
  const lines = new Set(secrets.flatMap(linesOf))
  const encoded = new Set(secrets.flatMap(base64Of))
  const bytes = new Set(secrets.flatMap(hexOf))
  return [
    ...[...lines].map((line) => ({ pattern: spellings(line), length: line.length })),
    ...[...bytes].map((hex) => ({ pattern: new RegExp(hex, 'gi'), length: hex.length })),
    ...[...encoded].map((text) => ({ pattern: text, length: text.length })),
  ]
}

/**
 * Multi-line text is matched line by line: the separators may change on the way, and a single line of a key must not be repeated either.
 */
const linesOf = (secret: Secret): string[] =>
  secret
    .reveal()
    .split(/\r|\n|\\r|\\n/)
    // A key in hexadecimal is one without its prefix, too.
    .map((line) => line.trim().replace(/^0x(?=[\da-f]{16,}$)/i, ''))
    .filter((line) => line.length >= lengthMin && !line.startsWith('-----'))

/**
 * Matches a line verbatim, JSON-escaped and URL-encoded, in upper and lower case. Encoders differ in which characters they encode: each
 * character may have any of its forms.
 */
const spellings = (line: string): RegExp =>
  new RegExp(
    [...line].map((letter) => (/[a-z\d]/i.test(letter) ? letter : `(?:${formsOf(letter).join('|')})`)).join(''),
    'gi',
  )

function formsOf(letter: string): string[] {
  const units = Array.from({ length: letter.length }, (_, at) => letter.charCodeAt(at).toString(16).padStart(4, '0'))
  return [
    ...[letter, JSON.stringify(letter).slice(1, -1), ...(letter === '/' ? ['\\/'] : [])].map(escaped),
    units.map((hex) => `\\\\u${hex}`).join(''),
    [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    ...(letter === ' ' ? ['\\+'] : []),
  ]
}

const escaped = (text: string): string =>
  text.replace(/[^a-z\d]/giu, (sign) => (sign.charCodeAt(0) < 128 ? `\\${sign}` : sign))

const wholeOf = (secret: Secret): string =>
  secret.reveal().replaceAll('\\r', '').replaceAll('\\n', '\n').replaceAll('\r', '').trim()

function hexOf(secret: Secret): string[] {
  const whole = wholeOf(secret)
  return whole.length < lengthMin ? [] : [Buffer.from(whole).toString('hex')]
}

/** Base64 of the whole, in both alphabets, also inside of a longer encoded text: there its letters depend on how many bytes precede it. */
function base64Of(secret: Secret): string[] {
  const whole = wholeOf(secret)
  if (whole.length < lengthMin) return []
  return [whole, whole.replaceAll('\n', '\r\n')].flatMap((text) =>
    [0, 1, 2].flatMap((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
      // Letters that are not made of these bytes alone are left out.
      const from = Math.ceil((before * 8) / 6)
      const letters = bytes.toString('base64').slice(from, Math.floor((bytes.length * 8) / 6))
      return [letters, letters.replaceAll('+', '-').replaceAll('/', '_')]
    }),
  )
}
