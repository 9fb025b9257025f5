// The stored artifact: one canonical text per value, and its hash. Exactly what was built is sent, or nothing.
import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '#core/canonicalJson'
import { Fault } from '#core/fault'
import type { ExecutionStatus, JsonObject } from '#schemas/executions'
import { nextStatus } from './transitions.ts'

/** Throws ARTIFACT_INTEGRITY_MISMATCH when the stored text does not match its hash. */
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

/** Throws ARTIFACT_VERSION_CONFLICT: this version would build a different artifact, so the stored one cannot be sent. */
export function rejectOverLimit(row: { build_version: number }, lane: Versioned): void {
  if (row.build_version === lane.buildVersion) return
  throw new Fault(
    'ARTIFACT_VERSION_CONFLICT',
    'the artifact was built for another version; build it again with a fresh key',
  )
}

/** For a row found by an idempotency key: one already sent is returned as it is; one not yet sent never can be. */
export function rejectReplayOverLimit(row: { status: ExecutionStatus; build_version: number }, lane: Versioned): void {
  if (nextStatus(row.status, 'submit') !== null) rejectOverLimit(row, lane)
}
