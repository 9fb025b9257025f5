// Serves the dashboard on the interface's origin: pages for people, listed in no document of the interface. They need no key; their data is
// requested from the interface with the key that the user enters.

import { acceptedEncoding } from '#core/acceptEncoding'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import type { HttpAnswer, HttpCall, HttpHandler } from '#server/http/contract'
import { failureOf } from '#server/http/errorBody'
import { createRequestIds } from '#server/http/requestId'
import type { DashboardFiles, ServedFile } from './files.ts'
import { assetsPath, dashboardPath, docsPath } from './paths.ts'
import { prefersHtml } from './prefersHtml.ts'

const allow = 'GET, HEAD, OPTIONS'

/** Nothing inline, nothing evaluated, nothing from or to other origins, not framed. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const alwaysSent = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Names are content hashes. */
const forEver = 'public, max-age=31536000, immutable'

export interface DashboardOptions {
  files: () => Promise<DashboardFiles>
  log: Log
}

export function withDashboard(handler: HttpHandler, { files, log }: DashboardOptions): HttpHandler {
  const newRequestId = createRequestIds()

  const serve = async (call: HttpCall, name: string): Promise<HttpAnswer> => {
    const requestId = newRequestId()
    const headers = { 'x-request-id': requestId }
    if (call.method === 'OPTIONS') return { status: 204, headers: { ...headers, allow }, body: '' }
    if (call.method !== 'GET') {
      const fault = new Fault('BAD_REQUEST', `this route accepts ${allow}`, { status: 405 })
      return failureOf(fault, requestId, { ...headers, allow })
    }
    try {
      const file = (await files()).get(name)
      if (file === undefined) return failureOf(new Fault('ROUTE_NOT_FOUND', 'no such file'), requestId, headers)
      return fileAnswer(call, file, name.endsWith('.html') ? 'no-cache' : forEver, headers)
    } catch (error) {
      log.error({ err: error, requestId }, 'the dashboard could not be built')
      return failureOf(new Fault('INTERNAL', 'the dashboard could not be built'), requestId, headers)
    }
  }

  return (call) => {
    const name = fileAt(call)
    return name === null ? handler(call) : serve(call, name)
  }
}

/** The file for a path; null when it is not ours. `/` belongs to the interface, except for browsers. */
function fileAt({ path, method, headers }: HttpCall): string | null {
  if (path === dashboardPath || path === `${dashboardPath}/`) return 'index.html'
  if (path === docsPath || path === `${docsPath}/`) return 'docs.html'
  if (path.startsWith(assetsPath) && !path.endsWith('.html')) return path.slice(assetsPath.length)
  return path === '/' && method === 'GET' && prefersHtml(headers.accept) ? 'front.html' : null
}

function fileAnswer(
  call: HttpCall,
  { contentType, etag, bytes, gzip }: ServedFile,
  cacheControl: string,
  requestHeaders: Readonly<Record<string, string>>,
): HttpAnswer {
  const headers: Record<string, string> = {
    ...requestHeaders,
    ...alwaysSent,
    'cache-control': cacheControl,
    etag,
    vary: 'Accept-Encoding, Accept',
  }
  if (call.headers['if-none-match'] === etag) return { status: 304, headers, body: '' }
  headers['content-type'] = contentType
  if (acceptedEncoding(call.headers['accept-encoding'], ['gzip']) === null) return { status: 200, headers, body: bytes }
  headers['content-encoding'] = 'gzip'
  return { status: 200, headers, body: gzip }
}
