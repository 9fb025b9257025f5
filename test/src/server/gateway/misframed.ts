// Requests that two parsers may split in different ways. Each is followed by a second request, which must never be taken for one.

const inner = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
const post = (head: string, body = '') => `POST /x HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${body}`
const chunked = (body: string) => post('Transfer-Encoding: chunked', body)

export interface Misframed {
  name: string
  /** Followed by bytes that look like a request. */
  request: string
  /** The same, followed by bytes that do not. */
  alone: string
  /**
   * Which server refuses it: the gateway or its transport; or only a reverse proxy, because the transport's parser does not show it to us.
   */
  refusedBy: 'us' | 'proxy'
}

const both = (name: string, request: string, refusedBy: Misframed['refusedBy']): Misframed => ({
  name,
  request,
  alone: request.replace(inner, ''),
  refusedBy,
})
const ours = (name: string, request: string): Misframed => both(name, request, 'us')
const theirs = (name: string, request: string): Misframed => both(name, request, 'proxy')

export const ambiguous: readonly Misframed[] = [
  ours('two lengths', post(`Content-Length: 3\r\nContent-Length: ${3 + inner.length}`, `abc${inner}`)),
  ours('the same length twice', post('Content-Length: 3\r\nContent-Length: 3', `abc${inner}`)),
  ours('a list of lengths', post('Content-Length: 3, 3', `abc${inner}`)),
  ours('an empty length', post('Content-Length:', inner)),
  ours('an empty length on GET', `GET /x HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n${inner}`),
  ours('a negative length', post('Content-Length: -3', inner)),
  ours('a signed length', post('Content-Length: +3', `abc${inner}`)),
  ours('a hexadecimal length', post('Content-Length: 0x3', `abc${inner}`)),
  ours('a huge length', post('Content-Length: 99999999999999999999', inner)),
  ours('a length followed by text', post('Content-Length: 3 4', `abc${inner}`)),
  ours('a length and a coding', post('Content-Length: 3\r\nTransfer-Encoding: chunked', `0\r\n\r\n${inner}`)),
  ours('a coding and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 3', `0\r\n\r\n${inner}`)),
  ours('an unknown coding', post('Transfer-Encoding: gzip', `3\r\nabc\r\n0\r\n\r\n${inner}`)),
  ours('a coding before chunked', post('Transfer-Encoding: gzip, chunked', `3\r\nabc\r\n0\r\n\r\n${inner}`)),
  ours('a coding like chunked', post('Transfer-Encoding: xchunked', `3\r\nabc\r\n0\r\n\r\n${inner}`)),
  ours('identity', post('Transfer-Encoding: identity', inner)),
  ours('an empty coding', post('Transfer-Encoding:', inner)),
  ours('two codings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', `0\r\n\r\n${inner}`)),
  ours('two hosts', `GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${inner}`),
  ours('a chunk of negative size', chunked(`-3\r\nabc\r\n0\r\n\r\n${inner}`)),
  ours('a chunk of huge size', chunked(`FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n${inner}`)),
  theirs('a chunk with a wrong end', chunked(`3\r\nabcXX0\r\n\r\n${inner}`)),
  theirs('a last chunk with a wrong end', chunked(`3\r\nabc\r\n0\r\nXX${inner}`)),
  theirs('a nameless header in front of the length', post(`: x\r\nContent-Length: ${inner.length}`, inner)),
  theirs('space in front of the colon', post(`Content-Length : ${inner.length}`, inner)),
  theirs('a folded header', post(`X: a\r\n b\r\nContent-Length: ${inner.length}`, inner)),
  theirs('a bare LF between headers', `POST /x HTTP/1.1\r\nHost: a\nContent-Length: ${inner.length}\r\n\r\n${inner}`),
  theirs('a NUL in a header', post(`X: a\0b\r\nContent-Length: ${inner.length}`, inner)),
]
