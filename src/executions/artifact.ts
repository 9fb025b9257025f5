// The artifact as it is stored: one text for one value, and its hash. What was built is what is sent, or nothing is.
import { createHash, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Fault } from '#lib/fault'
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import { nextStatus } from './transitions.ts'

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

interface Versioned {
  buildVersion: number
}

/** Throws ARTIFACT_VERSION_CONFLICT: what this version would build looks different, so the stored one cannot be sent. */
export function refuseOutgrown(row: { build_version: number }, lane: Versioned): void {
  if (row.build_version === lane.buildVersion) return
  throw new Fault(
    'ARTIFACT_VERSION_CONFLICT',
    'the artifact was built for another version; build it again with a fresh key',
  )
}

/** Of a row that a key leads back to: one that was sent is told as it went, one that still waits to be sent never can be. */
export function refuseOutgrownReplay(row: { status: ExecutionStatus; build_version: number }, lane: Versioned): void {
  if (nextStatus(row.status, 'submit') !== null) refuseOutgrown(row, lane)
}
