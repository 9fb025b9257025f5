// CORS for web pages of other origins, as the operator allows. No cookies are used, so a page has no session to abuse: it sends a key of
// its own.
import type { HttpAnswer, HttpHandler } from './contract.ts'

/** Every header that is read here and needs permission. The last two join a trace that the page began. */
const requestHeaders = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Range',
  'traceparent',
  'tracestate',
].join(', ')
const preflightSeconds = 600

/** `*` means every origin. */
export function withCors(handler: HttpHandler, origins: readonly string[]): HttpHandler {
  if (origins.length === 0) return handler
  const anyone = origins.includes('*')
  const known = new Set(origins)

  const marked = (answer: HttpAnswer, origin: string | undefined, isPreflight: boolean): HttpAnswer => {
    const { headers } = answer
    // Caches must keep the answers for different pages apart.
    if (!anyone) headers.vary = headers.vary === undefined ? 'Origin' : `${headers.vary}, Origin`
    if (origin === undefined || (!anyone && !known.has(origin))) return answer
    headers['access-control-allow-origin'] = anyone ? '*' : origin
    // All of them: browsers accept the star when cookies are not allowed.
    headers['access-control-expose-headers'] = '*'
    if (isPreflight) {
      headers['access-control-allow-methods'] = headers.allow ?? 'GET'
      headers['access-control-allow-headers'] = requestHeaders
      headers['access-control-max-age'] = String(preflightSeconds)
    }
    return answer
  }

  return (call) => {
    const { origin } = call.headers
    const isPreflight = call.method === 'OPTIONS' && call.headers['access-control-request-method'] !== undefined
    const answer = handler(call)
    return answer instanceof Promise
      ? answer.then((waited) => marked(waited, origin, isPreflight))
      : marked(answer, origin, isPreflight)
  }
}
