// Venues that reject signatures by their age: once that age has passed, no copy of a request can be accepted any more.
import type { LaneExecution, LateBound } from '../../lane.ts'

/** Twice the window: the venue's clock may be as far from ours as it lets signatures be. */
export const signatureWindow =
  (windowMs: number) =>
  (_execution: LaneExecution, signedBy: number): LateBound => ({
    untilMs: signedBy + 2 * windowMs,
    rule: `signatures older than ${windowMs / 1_000} s are refused`,
  })
