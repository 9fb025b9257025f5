// Gemini's authentication: keys with their settings, and the check of every private call from first principles (node's own HMAC). A
// call travels entirely in headers: the payload as base64, and the HMAC-SHA384 of that text.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Clock, Timer } from '#core/clock'
import { digestHex } from '../prng.ts'
import type { LabReply } from '../venueServer.ts'

/** Maximum deviation of a time-based nonce (unix seconds) from the venue's clock. */
const skewMaxSeconds = 30
/** A session that requires a heartbeat loses its orders after this much silence. */
const heartbeatMs = 30_000

export interface KeySettings {
  /** `time`: unix seconds, need not increase. `rising`: every nonce above the last one. */
  nonce: 'time' | 'rising'
  heartbeat: boolean
}

export interface GeminiKey extends KeySettings {
  apiKey: string
  apiSecret: string
}

export interface PrivateCall {
  key: GeminiKey
  /** Without `request` and `nonce`. `orderId` as digits: it exceeds a double. */
  fields: Readonly<Record<string, unknown>>
}

/** The general form of refusals; orders are refused in the other form (orders.ts). */
export const refused = (status: number, reason: string, message: string): LabReply => ({
  status,
  body: { result: 'error', reason, message },
})

const Payload = z.looseObject({ request: z.string(), nonce: z.union([z.number(), z.string()]) })

export class GeminiAuth {
  private readonly keys = new Map<string, GeminiKey>()
  private readonly lastNonce = new Map<string, number>()
  private readonly silences = new Map<string, Timer>()
  private readonly seed: string
  private readonly clock: Clock
  private readonly silent: (account: string) => void

  /** `silent` is called for an account whose heartbeat stopped. */
  constructor(options: { seed: string; clock: Clock; silent(account: string): void }) {
    this.seed = options.seed
    this.clock = options.clock
    this.silent = options.silent
  }

  issue(settings: Partial<KeySettings> = {}): GeminiKey {
    const name = `${this.seed}/gemini/key/${this.keys.size}`
    const key: GeminiKey = {
      nonce: 'time',
      heartbeat: false,
      ...settings,
      apiKey: `account-${digestHex(name).slice(0, 20)}`,
      apiSecret: digestHex(`${name}/secret`).slice(0, 28),
    }
    this.keys.set(key.apiKey, key)
    return key
  }

  /** The call, or its refusal. */
  admit(headers: IncomingHttpHeaders, path: string, text: string): PrivateCall | LabReply {
    const [apiKey, encoded, signature] = ['apikey', 'payload', 'signature'].map((name) => headers[`x-gemini-${name}`])
    if (typeof apiKey !== 'string') return refused(400, 'MissingApikeyHeader', 'Must provide X-GEMINI-APIKEY header')
    if (typeof encoded !== 'string') return refused(400, 'MissingPayloadHeader', 'Must provide X-GEMINI-PAYLOAD header')
    if (typeof signature !== 'string') {
      return refused(400, 'MissingSignatureHeader', 'Must provide X-GEMINI-SIGNATURE header')
    }
    const key = this.keys.get(apiKey)
    if (key === undefined || !signed(encoded, signature, key.apiSecret)) {
      return refused(400, 'InvalidSignature', 'InvalidSignature')
    }
    if (text !== '') return refused(400, 'InvalidJson', 'The body must be empty')
    const payload = readPayload(Buffer.from(encoded, 'base64').toString())
    if (payload === null) return refused(400, 'InvalidJson', 'The JSON in the X-GEMINI-PAYLOAD header is invalid')
    const { request, nonce, ...fields } = payload
    if (request !== path) {
      return refused(400, 'EndpointMismatch', `EndpointMismatch: the payload is for ${request}`)
    }
    const late = this.nonceRefusal(key, Number(nonce))
    if (late !== null) return refused(400, 'InvalidNonce', late)
    this.restartHeartbeat(key)
    return { key, fields }
  }

  stop(): void {
    for (const timer of this.silences.values()) timer.cancel()
  }

  private nonceRefusal(key: GeminiKey, nonce: number): string | null {
    if (!Number.isFinite(nonce)) return `Nonce '${nonce}' is not a number`
    if (key.nonce === 'time') {
      const seconds = this.clock.now() / 1_000
      if (Math.abs(nonce - seconds) <= skewMaxSeconds) return null
      return `Nonce '${nonce}' is not within ${skewMaxSeconds} seconds of server time '${Math.floor(seconds)}'`
    }
    // Its owner used milliseconds before.
    const last = this.lastNonce.get(key.apiKey) ?? this.clock.now()
    if (nonce <= last) return `Nonce '${nonce}' has not increased since your last call to the Gemini API.`
    this.lastNonce.set(key.apiKey, nonce)
    return null
  }

  private restartHeartbeat(key: GeminiKey): void {
    if (!key.heartbeat) return
    this.silences.get(key.apiKey)?.cancel()
    this.silences.set(
      key.apiKey,
      this.clock.after(heartbeatMs, () => this.silent(key.apiKey)),
    )
  }
}

function signed(encoded: string, signature: string, secret: string): boolean {
  const right = Buffer.from(createHmac('sha384', secret).update(encoded).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Null for an invalid payload. */
function readPayload(text: string): z.infer<typeof Payload> | null {
  try {
    const parsed = Payload.safeParse(JSON.parse(text))
    if (!parsed.success) return null
    const orderId = /"orderId"\s*:\s*"?(\d{1,20})"?\s*[,}]/.exec(text)?.[1]
    return orderId === undefined ? parsed.data : { ...parsed.data, orderId }
  } catch {
    return null
  }
}
