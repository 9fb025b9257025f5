// The signature Kalshi requires on its socket handshake, and accepts on reads: RSA-PSS over timestamp + method + path.
// https://docs.kalshi.com/getting_started/api_keys
import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { Fault } from '#core/fault'
import type { VenueSlug } from '#schemas/venues'
import type { VenueContext } from '../../venueContext.ts'

type Credentials = Readonly<Record<string, string>>

/** Parsing a PEM costs more than a signature: done once per credentials value, and discarded with it. */
const keys = new WeakMap<Credentials, KeyObject>()

/** `path` begins at /trade-api and carries no query. Null when no key is configured. */
export function signedHeaders(
  { venue, credentials, clock }: Pick<VenueContext, 'venue' | 'credentials' | 'clock'>,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
): Record<string, string> | null {
  const keyId = credentials?.API_KEY_ID
  const pem = credentials?.PRIVATE_KEY_PEM
  if (credentials === null || !keyId || !pem) return null
  const timestamp = String(clock.now())
  const signature = sign('sha256', Buffer.from(timestamp + method + path), {
    key: keyOf(venue, credentials, pem),
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  })
  return {
    'KALSHI-ACCESS-KEY': keyId,
    'KALSHI-ACCESS-TIMESTAMP': timestamp,
    'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
  }
}

function keyOf(venue: VenueSlug, credentials: Credentials, pem: string): KeyObject {
  const known = keys.get(credentials)
  if (known !== undefined) return known
  let key: KeyObject
  try {
    // Environment files often carry a PEM on one line, with newlines written as \n.
    key = createPrivateKey(pem.replaceAll('\\n', '\n'))
  } catch {
    // The cause is left out: OpenSSL's message may contain the secret.
    throw new Fault('VENUE_CREDENTIAL_REJECTED', 'the configured Kalshi private key is not a readable PEM', {
      exchange: venue,
    })
  }
  keys.set(credentials, key)
  return key
}
