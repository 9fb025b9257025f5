// RSA-PSS over timestamp + method + path, with a key pair that lives only in this request. https://docs.kalshi.com/getting_started/api_keys
import { constants, createPrivateKey, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Secret } from '#core/secret'
import type { LaneContext } from '../../lane.ts'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { badCredential, headerText, SecretText } from '../../shared/exec/credentials.ts'
import { kalshiErrors } from './errors.ts'
import { readRsaKey } from './rsaKey.ts'

/** A 4,096-bit key has some 3,300 characters. */
export const Credentials = z.strictObject({ apiKeyId: SecretText(), privateKeyPem: SecretText(8_000) }).meta({
  examples: [{ apiKeyId: 'key-1', privateKeyPem: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n' }],
})
export type Credentials = z.infer<typeof Credentials>

/** On a separate thread: a signature takes milliseconds. */
const signAside = promisify(sign) as unknown as (
  algorithm: string,
  data: Buffer,
  key: { key: ReturnType<typeof createPrivateKey>; padding: number; saltLength: number },
) => Promise<Buffer>

/** Throws VENUE_CREDENTIAL_REJECTED based on the credentials' format: nothing is computed with them. */
export function checkCredentials({ apiKeyId, privateKeyPem }: Credentials): void {
  keyIdOf(apiKeyId)
  derOf(privateKeyPem).fill(0)
}

/**
 * `path` begins at /trade-api; neither query nor body is signed. The time is that of the signature, not of the wait before it. Throws
 * VENUE_CREDENTIAL_REJECTED, and RATE_LIMITED when too many signatures wait.
 */
export async function signedHeaders(
  { heavy, clock }: Pick<LaneContext, 'heavy' | 'clock'>,
  { apiKeyId, privateKeyPem }: Credentials,
  method: string,
  path: string,
): Promise<Record<string, string>> {
  const keyId = keyIdOf(apiKeyId)
  const der = derOf(privateKeyPem)
  try {
    return await heavy(async () => {
      const timestamp = String(clock.now())
      const signature = await signed(der, Buffer.from(timestamp + method + path))
      return {
        'KALSHI-ACCESS-KEY': keyId,
        'KALSHI-ACCESS-TIMESTAMP': timestamp,
        'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
      }
    })
  } finally {
    der.fill(0)
  }
}

async function signed(der: Buffer, data: Buffer): Promise<Buffer> {
  try {
    return await signAside('sha256', data, {
      key: createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }),
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    })
  } catch {
    // The cause is left out: OpenSSL's message may contain the secret.
    throw badCredential('kalshi', 'privateKeyPem cannot sign')
  }
}

const keyIdOf = (apiKeyId: Secret): string => headerText('kalshi', 'apiKeyId', apiKeyId, 'key id')

function derOf(pem: Secret): Buffer {
  const key = readRsaKey(pem)
  if ('wrong' in key) throw badCredential('kalshi', key.wrong)
  return key.der
}

export const kalshiApi: ApiKeyClient<Credentials> = {
  venue: 'kalshi',
  base: 'REST',
  words: kalshiErrors,
  headers: async (context, credentials, { method, text }, url) => ({
    ...(text !== null && { 'content-type': 'application/json' }),
    ...(await signedHeaders(context, credentials, method, new URL(url).pathname)),
  }),
}
