// One attempt at one delivery: resolve, sign, send. Any problem is a failed attempt with a short reason; nothing here throws.
import type { Clock } from '#core/clock'
import type { PinnedSender } from '#net/ipPinnedSender'
import { deliveryHeaders, standardHeaders } from '#schemas/webhooks'
import { attemptTimeoutMs, isSuccess } from './schedule.ts'
import type { SecretBox } from './secretBox.ts'
import { sign, signStandard } from './signature.ts'
import type { Guard } from './ssrfGuard.ts'
import { Refusal } from './targetUrl.ts'

export interface AttemptDeps {
  guard: Guard
  sender: PinnedSender
  box: SecretBox
  clock: Clock
}

export interface AttemptRequest {
  deliveryId: string
  endpointId: string
  url: string
  /** The secret, and older ones that still sign. */
  secretsSealed: readonly [Buffer, ...Buffer[]]
  event: string
  /** The exact bytes, identical at every attempt. */
  body: string
}

export type AttemptResult =
  | { kind: 'delivered'; result: string }
  | { kind: 'failed'; result: string }
  /** This process stopped in the middle of it: it does not count. */
  | { kind: 'abandoned' }

/** `signal` ends with this process, not with the receiver's timeout: that is ten seconds. */
export async function attempt(deps: AttemptDeps, request: AttemptRequest, signal: AbortSignal): Promise<AttemptResult> {
  // A signal of our own: listeners on a signal that lives as long as the program would accumulate.
  const end = new AbortController()
  let isLate = false
  const timer = deps.clock.after(attemptTimeoutMs, () => {
    isLate = true
    end.abort()
  })
  const leave = (): void => end.abort()
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  try {
    const status = await Promise.race([send(deps, request, end.signal), rejection(end.signal)])
    return { kind: isSuccess(status) ? 'delivered' : 'failed', result: `status ${status}` }
  } catch (error) {
    if (isLate) return { kind: 'failed', result: 'timeout' }
    return signal.aborted ? { kind: 'abandoned' } : { kind: 'failed', result: wordFor(error) }
  } finally {
    timer.cancel()
    signal.removeEventListener('abort', leave)
    // Cleans up after a lost race.
    end.abort()
  }
}

async function send(
  { guard, sender, box, clock }: AttemptDeps,
  { deliveryId, endpointId, url: text, secretsSealed, event, body }: AttemptRequest,
  signal: AbortSignal,
): Promise<number> {
  const { url, addresses } = await guard.aim(text)
  // Resolving may outlast the attempt; then nothing is dialled any more.
  signal.throwIfAborted()
  const timestamp = Math.floor(clock.now() / 1000)
  const secrets = secretsSealed.map((sealed) => openSecret(box, endpointId, sealed))
  const headers = {
    'Content-Type': 'application/json',
    [deliveryHeaders.event]: event,
    [deliveryHeaders.timestamp]: String(timestamp),
    [deliveryHeaders.signature]: sign(secrets[0]!, timestamp, body),
    [deliveryHeaders.delivery]: deliveryId,
    [standardHeaders.id]: deliveryId,
    [standardHeaders.timestamp]: String(timestamp),
    [standardHeaders.signature]: signStandard(secrets, deliveryId, timestamp, body),
  }
  return sender.post({ url, addresses, headers, text: body, signal })
}

class UnopenableSecret extends Error {}

function openSecret(box: SecretBox, endpointId: string, sealed: Buffer): string {
  try {
    return box.open(endpointId, sealed)
  } catch (cause) {
    throw new UnopenableSecret('secret does not open', { cause })
  }
}

const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** A short reason, not the message: messages quote addresses. */
function wordFor(error: unknown): string {
  if (error instanceof Refusal) return `refused: ${error.message}`
  if (error instanceof UnopenableSecret) return 'secret was sealed under another key'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === '' ? 'network error' : `network error ${code}`
}
