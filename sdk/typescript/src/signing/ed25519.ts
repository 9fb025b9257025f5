// Ed25519 trading keys, using the platform's cryptography.
import { base58 } from './base58.ts'
import type { BytesSigner } from './sign.ts'

export interface Ed25519Signer extends BytesSigner {
  /** The public key, base58: `signer` of a build. */
  readonly address: string
}

/** PKCS #8 header before a 32-byte seed: RFC 8410. */
const head = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]

export async function ed25519Signer(seed: Uint8Array): Promise<Ed25519Signer> {
  if (seed.length !== 32) throw new TypeError('the seed of an Ed25519 key has 32 bytes')
  const wrapped = new Uint8Array([...head, ...seed])
  const key = await crypto.subtle.importKey('pkcs8', wrapped, 'Ed25519', true, ['sign'])
  const { x } = await crypto.subtle.exportKey('jwk', key)
  const publicKey = Uint8Array.from(atob(x!.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
  return {
    address: base58(publicKey),
    async signBytes(bytes) {
      return new Uint8Array(await crypto.subtle.sign('Ed25519', key, bytes as Uint8Array<ArrayBuffer>))
    },
  }
}
