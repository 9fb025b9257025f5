// When a signed action is too old for the venue, whoever still holds a copy of it.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/nonces-and-api-wallets
import type { LaneExecution, LateBound } from '../../lane.ts'
import { readArtifact } from './artifact.ts'

/** Older nonces are refused. */
const nonceAgeMaxMs = 2 * 86_400_000

/** The nonce was given at the build, so it is its age that counts and not the sending's. */
export const lateBound = ({ unsigned }: LaneExecution): LateBound => ({
  untilMs: readArtifact(unsigned).nonce + nonceAgeMaxMs,
  rule: 'nonces older than two days are refused',
})
