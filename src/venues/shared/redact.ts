// A venue that repeats our credentials in its answer must not make us keep or log them, in whatever spelling it repeats them.
import type { Secret } from '#lib/secret'
import type { SendOutcome } from '#net/http'

/** Shorter ones would be found by chance and tear the answer apart. */
const lengthMin = 8

export function redact(text: string, secrets: readonly Secret[]): string {
  let clean = text
  for (const secret of secrets) for (const form of formsOf(secret)) clean = clean.replaceAll(form, '[secret]')
  return clean
}

export const redactAnswer = (sent: SendOutcome, secrets: readonly Secret[]): SendOutcome =>
  sent.kind === 'answered' ? { ...sent, text: redact(sent.text, secrets) } : sent

/** Of an answer already parsed: every text in it, the names of members included. */
export function redactBody(body: unknown, secrets: readonly Secret[]): unknown {
  if (typeof body === 'string') return redact(body, secrets)
  if (Array.isArray(body)) return body.map((each) => redactBody(each, secrets))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, each]) => [redact(name, secrets), redactBody(each, secrets)]),
  )
}

/**
 * As it is, as JSON escapes it, with slashes escaped, and as it stands in a URL. Of a text of several lines each line by itself: what joins
 * them changes on the way, and one line of a key is as bad as all.
 */
function formsOf(secret: Secret): string[] {
  const lines = secret
    .reveal()
    .split(/\r|\n|\\r|\\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= lengthMin && !line.startsWith('-----'))
  return lines.flatMap((line) => [
    line,
    JSON.stringify(line).slice(1, -1),
    line.replaceAll('/', '\\/'),
    encodeURIComponent(line),
  ])
}
