// The message in an error body of any shape, for answers in a shape that the venue does not document. It is shown to the owner of the order and
// decides nothing.

/** In order of preference. */
const fields = [
  'message',
  'errorMsg',
  'error_message',
  'error',
  'errors',
  'detail',
  'details',
  'reason',
  'msg',
  'response',
  'title',
  'code',
]
const depthMax = 3

/** Empty: it contains none. */
export function messageIn(body: unknown, depth = 0): string {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null || depth === depthMax) return ''
  if (Array.isArray(body)) return messageIn(body[0], depth + 1)
  for (const field of fields) {
    const text = Object.hasOwn(body, field) ? messageIn((body as Record<string, unknown>)[field], depth + 1) : ''
    if (text !== '') return text
  }
  return ''
}
