// HttpSender on undici: one attempt with the caller's exact bytes. Anything not known to have failed before it left is
// unknown.
import { Agent, request as undiciRequest } from 'undici'
import { formatUserAgent } from '#core/userAgent'
import { hostOf, requestChannel } from './diagnostics.ts'
import { FairQueue } from './fairQueue.ts'
import type { HttpSender, SendOutcome, SendRequest } from './http.ts'
import { checkComplexity } from './jsonScan.ts'

const responseBytesMax = 1024 * 1024
const connectTimeoutMs = 5_000
/** Of one venue. Requests wait before they are signed, not after: once signed they leave at once. */
const line = { atOnce: 32, atOncePerParty: 24, waitingMax: 1_000, patienceMs: 40_000 }

/** The lanes parse answers in one go. A megabyte of real rows has some 50,000 values. */
const responseValuesMax = 60_000

/** The connection never existed, so no byte of the request can have been read. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

export interface OwnedHttpSender extends HttpSender {
  close(): Promise<void>
}

export function createHttpSender({ contactUrl }: { contactUrl?: string } = {}): OwnedHttpSender {
  const userAgent = formatUserAgent(contactUrl)
  const agent = new Agent({
    connections: line.atOnce,
    maxResponseSize: responseBytesMax,
    connect: { timeout: connectTimeoutMs },
  })
  const lines = new Map<string, FairQueue>()
  const lineOf = (origin: string): FairQueue => {
    const known = lines.get(origin) ?? new FairQueue(line)
    lines.set(origin, known)
    return known
  }
  const sender: HttpSender = {
    async send(request: SendRequest): Promise<SendOutcome> {
      const leave = await lineOf(new URL(request.url).origin).enter(request.account, request.signal)
      if (leave === null) return notSent(request.signal.reason ?? new Error('too many requests wait for this venue'))
      try {
        return await sendNow(request)
      } finally {
        leave()
      }
    },
  }
  return {
    send: (request) => (requestChannel.hasSubscribers ? tracedSend(request, sender) : sender.send(request)),
    close: () => agent.close(),
  }

  async function sendNow({
    method,
    url,
    text,
    headers,
    timeoutMs,
    signal,
    mayLeave,
  }: SendRequest): Promise<SendOutcome> {
    let made: Readonly<Record<string, string>>
    try {
      made = typeof headers === 'function' ? await headers() : headers
    } catch (cause) {
      return notSent(cause)
    }
    if (signal.aborted) return notSent(signal.reason)
    if (mayLeave?.() === false) return notSent(new Error('it waited too long'))
    try {
      const response = await undiciRequest(url, {
        dispatcher: agent,
        method,
        headers: { 'user-agent': userAgent, ...made },
        body: text,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]),
      })
      return {
        kind: 'answered',
        status: response.statusCode,
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
        text: await textOf(response.body),
      }
    } catch (cause) {
      return { kind: isNeverConnected(cause) ? 'not_sent' : 'unknown', cause }
    }
  }
}

async function textOf(body: { text(): Promise<string> }): Promise<string> {
  const text = await body.text()
  checkComplexity(text, responseValuesMax)
  return text
}

function tracedSend(request: SendRequest, sender: HttpSender): Promise<SendOutcome> {
  const about = { venue: null, method: request.method, host: hostOf(request.url) }
  return requestChannel.tracePromise(async () => {
    const outcome = await sender.send(request)
    Object.assign(about, { outcome: outcome.kind, ...(outcome.kind === 'answered' && { status: outcome.status }) })
    return outcome
  }, about)
}

const notSent = (cause: unknown): SendOutcome => ({ kind: 'not_sent', cause })

function isNeverConnected(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(isNeverConnected)
  return cause instanceof Error && 'code' in cause && neverConnected.has(String(cause.code))
}
