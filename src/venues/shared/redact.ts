// Credentials that a venue repeats in its answer, in whatever encoding, must not be stored or logged.
import type { Secret } from '#lib/secret'
import type { SendOutcome } from '#net/http'

/** No venue's answer is this deep: anything deeper is left out. */
const depthMax = 64
/** Shorter ones would match by chance and tear the answer apart. */
const lengthMin = 8

export const redact = (text: string, secrets: readonly Secret[]): string => cleaned(text, formsOfAll(secrets))

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
function cleaned(text: string, forms: readonly string[]): string {
  let clean = text
  for (const form of forms) if (form.length <= clean.length) clean = clean.replaceAll(form, '[secret]')
  return clean
}

/** Once per answer, however many texts it has. */
const formsOfAll = (secrets: readonly Secret[]): string[] => [...new Set(secrets.flatMap(formsOf))]

/**
 * Verbatim, JSON-escaped, with slashes escaped, and URL-encoded. Multi-line text is matched line by line: the separators may change on the
 * way, and one line of a key is as bad as all.
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
