// A venue that repeats our credentials in its answer must not make us keep or log them.
import type { Secret } from '#lib/secret'
import type { SendOutcome } from '#net/http'

/** Shorter ones would be found by chance and tear the answer apart. */
const lengthMin = 8

export function redact(text: string, secrets: readonly Secret[]): string {
  let clean = text
  for (const secret of secrets) {
    const shown = secret.reveal()
    if (shown.length >= lengthMin) clean = clean.replaceAll(shown, '[secret]')
  }
  return clean
}

export const redactAnswer = (sent: SendOutcome, secrets: readonly Secret[]): SendOutcome =>
  sent.kind === 'answered' ? { ...sent, text: redact(sent.text, secrets) } : sent
