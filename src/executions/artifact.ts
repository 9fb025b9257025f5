// The artifact as it is stored: one text for one value, and its hash. What was built is what is sent, or nothing is.
import { createHash, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** RFC 8785. */
export function canonical(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('an artifact is plain JSON')
  return text
}

/** Throws ARTIFACT_INTEGRITY_MISMATCH when the stored text is not the one that was hashed. */
export function openArtifact(text: string, hash: Buffer): JsonObject {
  const actual = sha256(text)
  if (hash.length !== actual.length || !timingSafeEqual(hash, actual)) {
    throw new Fault('ARTIFACT_INTEGRITY_MISMATCH', 'the stored artifact is not the one that was built; build a new one')
  }
  return JSON.parse(text) as JsonObject
}
