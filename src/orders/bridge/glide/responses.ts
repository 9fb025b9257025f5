// Interprets Glide's responses. For a rejection only the status is kept: its text is the provider's.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { ProviderResponse } from '../ports.ts'
import { type GlideAnswer, unreadable } from './client.ts'

export const isGood = ({ status }: GlideAnswer): boolean => status >= 200 && status < 300

/** For a successful response, with its original text. */
export function requireOk<S extends z.ZodType>(shape: S, answer: GlideAnswer): ProviderResponse<z.output<S>> {
  if (!isGood(answer)) throw refusalOf(answer)
  let value: unknown
  try {
    value = JSON.parse(answer.text)
  } catch {
    throw unreadable('the response is not JSON')
  }
  // Parsers differ in which of two equal keys they use: a value checked here might not be the one signed there.
  if (colonsIn(answer.text) !== fieldsIn(value)) throw unreadable('the response has a duplicate key')
  const parsed = shape.safeParse(value)
  if (!parsed.success) throw unreadable('the response has an unexpected shape')
  return { value: parsed.data, json: Buffer.from(answer.text) }
}

const colonsIn = (json: string): number => json.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1

/** Across all its objects. */
function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts: unknown[] = Object.values(value)
  return parts.reduce((sum: number, part) => sum + fieldsIn(part), Array.isArray(value) ? 0 : parts.length)
}

const Refusal = z.object({ code: z.string() })

function refusalOf({ status, text }: GlideAnswer): Fault {
  const code = status === 400 ? codeIn(text) : undefined
  if (code === 'over_capacity')
    return new Fault('BRIDGE_NO_ROUTE', 'the bridge’s provider cannot transfer this amount right now')
  if (code === 'insufficient_payment_amount')
    return new Fault('VALIDATION_ERROR', 'fromAmount: is too small to transfer')
  return new Fault('BRIDGE_UPSTREAM', 'the bridge’s provider refused this', {
    detail: `status ${status}`,
    // Our key or our request is invalid: the same call would be rejected again.
    retryable: status >= 500 || status === 408,
  })
}

function codeIn(text: string): string | undefined {
  try {
    return Refusal.safeParse(JSON.parse(text)).data?.code
  } catch {
    return undefined
  }
}
