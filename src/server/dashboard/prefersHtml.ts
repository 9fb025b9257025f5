// Whether a client prefers a page to data (RFC 9110, 12.5.1): it accepts HTML, and JSON no more than that. A bare `*/*` is a
// program.

export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const weights = new Map<string, number>()
  for (const part of accept.split(',', partsMax)) {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    weights.set(type, weight >= 0 && weight <= 1 ? weight : 0)
  }
  const html = weights.get('text/html') ?? 0
  return html > 0 && html >= (weights.get('application/json') ?? 0)
}

/** No browser names more. */
const partsMax = 16
