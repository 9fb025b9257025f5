// HttpSender on undici: one attempt with the caller's exact bytes. What is not known to have failed before it left is unknown.
import { Agent, request as undiciRequest } from 'undici'
import type { HttpSender, SendOutcome, SendRequest } from './http.ts'

const responseBytesMax = 1024 * 1024
const connectTimeoutMs = 5_000

/** The connection was never there, so no byte of the request can have been read by anybody. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

export interface OwnedHttpSender extends HttpSender {
  close(): Promise<void>
}

export function createHttpSender(): OwnedHttpSender {
  const agent = new Agent({
    connections: 32,
    maxResponseSize: responseBytesMax,
    connect: { timeout: connectTimeoutMs },
  })
  return {
    async send({ method, url, text, headers, timeoutMs, signal }: SendRequest): Promise<SendOutcome> {
      if (signal.aborted) return { kind: 'not_sent', cause: signal.reason }
      try {
        const response = await undiciRequest(url, {
          dispatcher: agent,
          method,
          headers,
          body: text,
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]),
        })
        return {
          kind: 'answered',
          status: response.statusCode,
          headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          text: await response.body.text(),
        }
      } catch (cause) {
        return { kind: isNeverConnected(cause) ? 'not_sent' : 'unknown', cause }
      }
    },
    close: () => agent.close(),
  }
}

function isNeverConnected(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(isNeverConnected)
  return cause instanceof Error && 'code' in cause && neverConnected.has(String(cause.code))
}
