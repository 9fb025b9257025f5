// Venues that reject signatures by age: past that age, no copy of a request can be accepted any more.
import type { AcceptanceDeadline, LaneExecution } from '../../lane.ts'

/** Twice the window: the venue's clock may differ from ours by as much as it allows signatures to. */
export const signatureWindow =
  (windowMs: number) =>
  (_execution: LaneExecution, signedBy: number): AcceptanceDeadline => ({
    untilMs: signedBy + 2 * windowMs,
    rule: `signatures older than ${windowMs / 1_000} s are refused`,
  })
