// The supported content coding that a client prefers most (RFC 9110, 12.5.3).
import Negotiator from 'negotiator'

/** No client names more. */
const codingsMax = 16

/** The type declarations are of version 0.6, which had no option for ties. */
type Client = Negotiator & { encoding(available: string[], options: { preferred: string[] }): string | undefined }

/** Null: identity. On a tie the first of `offered` wins; a client without the header gets none. */
export function acceptedEncoding<T extends string>(header: string | undefined, offered: readonly T[]): T | null {
  if (header === undefined) return null
  const client = new Negotiator({ headers: { 'accept-encoding': corrected(header) } }) as Client
  const best = client.encoding([...offered, 'identity'], { preferred: [...offered] })
  return offered.find((coding) => coding === best) ?? null
}

/** What the library does not know: `x-gzip` is gzip (RFC 9110, 8.4.1.3), and a coding whose weight is invalid is not used. */
const corrected = (header: string): string =>
  header
    .split(',', codingsMax)
    .map((coding) => coding.replace(/^\s*x-gzip(?=\s*(?:;|$))/i, 'gzip').replace(invalidWeight, ';q=0'))
    .join(',')

const invalidWeight = /;\s*q\s*=(?!\s*(?:0(?:\.\d*)?|1(?:\.0*)?)\s*(?:;|$)).*/i
