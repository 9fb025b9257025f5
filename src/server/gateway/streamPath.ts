// Answers of the socket paths to calls without an upgrade.

import { Fault } from '#core/fault'
import type { HttpAnswer, HttpCall, HttpHandler } from '#server/http/contract'
import { failureOf } from '#server/http/errorBody'
import { createRequestIds } from '#server/http/requestId'

export const streamPath = '/v1/stream'
/** The path used by clients of the older API family. */
export const olderStreamPath = '/ws'
/** The only version: RFC 6455. */
export const webSocketVersion = '13'

const allow = 'GET, OPTIONS'

export function nonStreamPath(handler: HttpHandler, paths: readonly string[]): HttpHandler {
  const newRequestId = createRequestIds()
  return (call) => (paths.includes(call.path) ? withoutUpgrade(call, newRequestId()) : handler(call))
}

function withoutUpgrade({ method }: HttpCall, requestId: string): HttpAnswer {
  const headers = { 'x-request-id': requestId }
  if (method === 'OPTIONS') return { status: 204, headers: { ...headers, allow }, body: '' }
  if (method !== 'GET') {
    const fault = new Fault('BAD_REQUEST', `this route accepts ${allow}`, { status: 405 })
    return failureOf(fault, requestId, { ...headers, allow })
  }
  const fault = new Fault('BAD_REQUEST', 'this is a WebSocket endpoint: send an upgrade request', { status: 426 })
  return failureOf(fault, requestId, {
    ...headers,
    upgrade: 'websocket',
    'sec-websocket-version': webSocketVersion,
  })
}
