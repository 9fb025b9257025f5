// The stored payload, authenticated once with the caller's transient key, and sent once.
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { matchedAtOnce } from '../../shared/exec/matchedAtOnce.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { geminiWords } from './answer.ts'
import { fieldsOf, readArtifact } from './artifact.ts'
import { authHeaders, type Credentials } from './auth.ts'
import { call } from './call.ts'
import { GeminiDone, GeminiOrder, paths } from './wire.ts'

/** Authless as it was built. A key that cannot stand in a header is refused here, before anything is recorded as sent. */
export async function prepare(
  _context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Prepared> {
  const artifact = readArtifact(execution.unsigned)
  authHeaders(credentials, '{}')
  return {
    submittedArtifact: artifact,
    venueRef: artifact.request === paths.cancel ? artifact.orderId : null,
  }
}

export async function relay(
  context: LaneContext,
  _execution: LaneExecution,
  prepared: Prepared,
  credentials: Credentials,
): Promise<RelayOutcome> {
  const artifact = readArtifact(prepared.submittedArtifact)
  const sent = await call(context, credentials, artifact.request, fieldsOf(artifact))
  return relayOutcome(
    geminiWords,
    sent,
    artifact.request === paths.cancel ? acceptCancel(artifact.orderId) : acceptOrder,
  )
}

/** Also where it filled at once: refresh brings the fill with the transition, and so it is counted once. */
function acceptOrder(body: unknown): RelayOutcome | null {
  const order = GeminiOrder.safeParse(body)
  return order.success ? { ...accepted(order.data.orderId), ...matchedAtOnce(order.data.filledQuantity) } : null
}

/** `{result: "ok", message}`: another order's row, or a page, is no word about this one. */
const acceptCancel =
  (orderId: string) =>
  (body: unknown): RelayOutcome | null =>
    GeminiDone.safeParse(body).success ? accepted(orderId) : null

const accepted = (venueRef: string): RelayOutcome => ({ kind: 'accepted', venueRef, status: 'acked', fills: [] })
