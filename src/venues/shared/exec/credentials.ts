// A caller's credentials: they arrive with one request, sign it, and are discarded. Messages about them never repeat
// them.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { Secret } from '#core/secret'
import type { QueriedVenue } from '#schemas/venues'

/** In characters. */
const usualMax = 500

export const SecretText = (max = usualMax) =>
  z
    .string()
    .min(1)
    .max(max)
    .transform((text) => new Secret(text))

/** For a venue that shows every account the same. */
export const NoCredentials = z.strictObject({}).meta({ examples: [{}] })

/** Thrown without a cause: a crypto library's error may contain the secret itself. */
export const badCredential = (venue: QueriedVenue, why: string): Fault =>
  new Fault('VENUE_CREDENTIAL_REJECTED', why, { exchange: venue })

/** An invalid header value would fail somewhere that may log it. `kind`: the venue's name for it. */
export function headerText(venue: QueriedVenue, name: string, secret: Secret, kind = 'key'): string {
  const text = secret.reveal()
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw badCredential(venue, `${name} has characters that a ${kind} cannot have`)
}
