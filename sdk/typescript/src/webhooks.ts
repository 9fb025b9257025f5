// Verifies that a delivery is the service's: its signature over the bytes as they arrived, and its time.
import { CrossbookError } from './errors.ts'

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Maximum difference from our clock, seconds; 300 by default. */
  toleranceSeconds?: number
  /** Now, epoch ms. */
  now?: () => number
}

export interface Delivery<Payload = unknown> {
  /** The same for every attempt: deduplicate on it. Signed only where Standard Webhooks headers are present. */
  id: string
  /** From a header that is not signed. */
  event: string
  /** When this attempt was signed. */
  signedAt: Date
  payload: Payload
}

/** Not from the service, modified on the way, too old, or without a signature. Answer 401, and nothing else. */
export class WebhookVerificationError extends CrossbookError {
  override name = 'WebhookVerificationError'
}

const toleranceSecondsDefault = 300
const secretPrefix = 'whsec_'

/**
 * `rawBody` as it arrived: parsing and printing the JSON would change it. `secret` as it was shown; several while one is being replaced.
 * Standard Webhooks headers are used if present, otherwise `X-Service-Signature`.
 */
export async function verifyWebhook<Payload = unknown>(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = toleranceSecondsDefault, now = Date.now }: VerifyOptions = {},
): Promise<Delivery<Payload>> {
  const header = reader(headers)
  const scheme = header('webhook-signature') === null ? serviceScheme(header) : standardScheme(header)
  const { timestamp } = scheme
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('the timestamp is not valid')
  if (Math.abs(now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError(`signed more than ${toleranceSeconds} s from now`)
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const secrets = [secret].flat().filter((text) => text !== '')
  if (!(await isSigned(scheme, body, secrets)))
    throw new WebhookVerificationError('the signature does not match the body')
  return {
    id: scheme.id,
    event: header('x-service-event') ?? '',
    signedAt: new Date(Number(timestamp) * 1_000),
    payload: JSON.parse(new TextDecoder().decode(body)) as Payload,
  }
}

interface Scheme {
  id: string
  timestamp: string
  /** The text before the body in the signed content. */
  head: string
  signatures: Uint8Array[]
  /** Null: not a key of this scheme. */
  keyOf(secret: string): Uint8Array | null
}

type Header = (name: string) => string | null

/** The key is the secret's text, prefix included. */
function serviceScheme(header: Header): Scheme {
  const timestamp = need(header, 'x-service-timestamp')
  const signature = bytesOfHex(need(header, 'x-service-signature'))
  return {
    id: header('x-service-delivery') ?? '',
    timestamp,
    head: `${timestamp}.`,
    signatures: signature === null ? [] : [signature],
    keyOf: (secret) => new TextEncoder().encode(secret),
  }
}

/** standardwebhooks.com, version 1: the key is the part after the prefix, decoded. */
function standardScheme(header: Header): Scheme {
  const [id, timestamp] = [need(header, 'webhook-id'), need(header, 'webhook-timestamp')]
  return {
    id,
    timestamp,
    head: `${id}.${timestamp}.`,
    signatures: need(header, 'webhook-signature')
      .split(' ')
      .filter((word) => word.startsWith('v1,'))
      .flatMap((word) => bytesOfBase64(word.slice(3)) ?? []),
    keyOf: (secret) => bytesOfBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret),
  }
}

/** A receiver has at most a few secrets at once. */
const signaturesMax = 10

async function isSigned(
  { head, signatures, keyOf }: Scheme,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  const before = new TextEncoder().encode(head)
  const signed = new Uint8Array(before.length + body.length)
  signed.set(before)
  signed.set(body, before.length)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  for (const secret of secrets) {
    const bytes = keyOf(secret)
    if (bytes === null || bytes.length === 0) continue
    const key = await crypto.subtle.importKey('raw', bytes as Uint8Array<ArrayBuffer>, hmac, false, ['verify'])
    // `verify` compares in constant time.
    for (const signature of signatures.slice(0, signaturesMax))
      if (await crypto.subtle.verify(hmac, key, signature as Uint8Array<ArrayBuffer>, signed)) return true
  }
  return false
}

function reader(headers: WebhookHeaders): Header {
  if (typeof (headers as Headers).get === 'function') return (name) => (headers as Headers).get(name)
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = named.get(name)
    // Rejects duplicate headers.
    return typeof value === 'string' ? value : null
  }
}

function need(header: Header, name: string): string {
  const value = header(name)
  if (value === null || value === '') throw new WebhookVerificationError(`${name} is missing`)
  return value
}

function bytesOfHex(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})+$/.test(text)) return null
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16))
}

function bytesOfBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    // Returns null: without base64 it is neither a key nor a signature of this scheme.
    return null
  }
}
