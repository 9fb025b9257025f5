// Stored signing secrets: AES-256-GCM under the deployment's key, bound to the endpoint, so that a stolen row signs nothing and a sealed
// secret moved to another row does not open.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export const boxKeyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export interface SecretBox {
  seal(endpointId: string, secret: string): Buffer
  /** Throws when the key is a different one, or the bytes are not what was sealed for this endpoint. */
  open(endpointId: string, sealed: Buffer): string
}

export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== boxKeyBytes) throw new Error(`a webhook secret key has ${boxKeyBytes} bytes, not ${key.length}`)
  const algorithm = 'aes-256-gcm'
  const options = { authTagLength: tagBytes }
  return {
    seal(endpointId, secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(Buffer.from(endpointId))
      return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open(endpointId, sealed) {
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), options)
      decipher.setAAD(Buffer.from(endpointId)).setAuthTag(sealed.subarray(-tagBytes))
      const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },
  }
}
