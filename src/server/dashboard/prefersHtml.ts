// Whether a client prefers a page to data (RFC 9110, 12.5.1). A bare `*/*` is a program.
import Negotiator from 'negotiator'

export const prefersHtml = (accept: string | undefined): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html'
