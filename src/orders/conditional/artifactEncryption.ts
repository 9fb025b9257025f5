// Stored signed artifacts: AES-256-GCM under one of the deployment's keys, bound to the order and its execution, so that an artifact sealed
// for one cannot fire another. The newest key seals; every configured key opens.
import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JsonObject } from '#schemas/executions'

export const sealKeyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const algorithm = 'aes-256-gcm'
const options = { authTagLength: tagBytes }

export interface SealKey {
  /** Stored in the row. */
  id: string
  key: Buffer
}

export interface EncryptedArtifact {
  sealed: Buffer
  keyId: string
  /** Hash of the artifact's text. */
  sha256: Buffer
}

/** What an artifact is bound to. */
export interface EncryptionContext {
  id: string
  executionId: string
}

export interface ArtifactCipher {
  seal(of: EncryptionContext, artifact: JsonObject): EncryptedArtifact
  /** Throws when the key is gone, or the bytes are not what was sealed for this order. */
  open(of: EncryptionContext, sealed: EncryptedArtifact): JsonObject
}

const keyLine = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/

/** Entries of `id:base64`, separated by commas or newlines, newest first. Throws without quoting the input. */
export function parseSealKeys(text: string): SealKey[] {
  const words = text.split(/[,\s]+/).filter((word) => word !== '')
  const keys = words.map((word) => {
    const [, id, base64] = keyLine.exec(word) ?? []
    if (id === undefined || base64 === undefined) throw new Error('sealing keys are <id>:<32 bytes in base64>')
    return { id, key: Buffer.from(base64, 'base64') }
  })
  if (keys.length === 0) throw new Error('no sealing key is there')
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('two sealing keys have one id')
  return keys
}

export function newSealKey(): string {
  return `${randomBytes(6).toString('hex')}:${randomBytes(sealKeyBytes).toString('base64')}`
}

/** `read` is called for every artifact sealed, and for one sealed under an unknown key: keys may have been rotated. */
export function createArtifactSeal(read: () => readonly SealKey[]): ArtifactCipher {
  let keys = read()
  const keyOf = (id: string): Buffer => {
    const known = keys.find((key) => key.id === id)
    if (known !== undefined) return known.key
    keys = read()
    const found = keys.find((key) => key.id === id)
    if (found === undefined) throw new Error(`the sealing key ${id} is not there`)
    return found.key
  }
  return {
    seal(of, artifact) {
      const text = Buffer.from(JSON.stringify(artifact))
      keys = read()
      const { id, key } = keys[0]!
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(bindingOf(of))
      const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
      return { sealed, keyId: id, sha256: sha256(text) }
    },
    open(of, { sealed, keyId, sha256: expected }) {
      const decipher = createDecipheriv(algorithm, keyOf(keyId), sealed.subarray(0, nonceBytes), options)
      decipher.setAAD(bindingOf(of)).setAuthTag(sealed.subarray(-tagBytes))
      const text = Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
      const actual = sha256(text)
      if (expected.length !== actual.length || !timingSafeEqual(expected, actual))
        throw new Error('a sealed artifact is not the one that was armed')
      return JSON.parse(text.toString('utf8')) as JsonObject
    },
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const bindingOf = ({ id, executionId }: EncryptionContext): Buffer =>
  Buffer.from(`crossbook.conditional.v1:${id}:${executionId}`)
