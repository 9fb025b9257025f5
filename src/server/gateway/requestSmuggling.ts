// Requests whose message boundaries are ambiguous are refused before anything else: RFC 9112, sections 3.2, 6 and 11.2. What the
// transport's own parser accepts without showing it to us is listed in docs/reverse-proxy.md.
import type { HttpRequest } from './uws.ts'

const lengthDigits = /^\d{1,15}$/

/**
 * Why the message's end is ambiguous, worded for its sender; null when it is not. A single pass: this runs on every request.
 */
export function hasAmbiguousLength(request: HttpRequest): string | null {
  let lengths = 0
  let codings = 0
  let hosts = 0
  let wrong: string | null = null
  request.forEach((name, value) => {
    if (name === 'content-length') {
      if (++lengths > 1) wrong = 'Content-Length is sent twice'
      else if (!lengthDigits.test(value)) wrong = 'Content-Length is not a number of bytes'
    } else if (name === 'transfer-encoding') {
      if (++codings > 1 || value.toLowerCase() !== 'chunked') wrong = 'Transfer-Encoding must be chunked or absent'
    } else if (name === 'host' && ++hosts > 1) wrong = 'Host is sent twice'
  })
  if (lengths > 0 && codings > 0) wrong = 'Content-Length and Transfer-Encoding exclude each other'
  return wrong
}
