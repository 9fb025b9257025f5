// The stored body under one fixed method and path, signed with the caller's transient key pair, and sent once.
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { matchedAtOnce } from '../../shared/exec/accepted.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { redactAnswer } from '../../shared/redact.ts'
import { kalshiWords } from './answer.ts'
import { type Artifact, callOf, readArtifact } from './artifact.ts'
import { type Credentials, checkCredentials, signedHeaders } from './auth.ts'
import { KalshiCanceled, KalshiPlaced } from './wire.ts'

const timeoutMs = 10_000

/** Authless as it was built. An unreadable key is refused here, before anything is recorded as sent. */
export async function prepare(
  _context: LaneContext,
  { unsigned }: LaneExecution,
  credentials: Credentials,
): Promise<Prepared> {
  const artifact = readArtifact(unsigned)
  checkCredentials(credentials)
  return { submittedArtifact: unsigned, venueRef: knownId(artifact) }
}

export async function relay(
  context: LaneContext,
  _execution: LaneExecution,
  prepared: Prepared,
  credentials: Credentials,
): Promise<RelayOutcome> {
  const artifact = readArtifact(prepared.submittedArtifact)
  const { method, path, text } = callOf(artifact)
  const { sender, urls, signal } = context
  const url = `${urls.REST}${path}`
  const sent = await sender.send({
    method,
    url,
    text,
    headers: async () => ({
      ...(text === null ? {} : { 'content-type': 'application/json' }),
      ...(await signedHeaders(context, credentials, method, new URL(url).pathname)),
    }),
    timeoutMs,
    signal,
  })
  return relayOutcome(kalshiWords, redactAnswer(sent, Object.values(credentials)), (body) => accept(artifact, body))
}

/**
 * Also where it filled at once: refresh brings the fills with the transition, and so each is counted once. The bodies of cancel and amend
 * may tell of another order although the action is right (venue changelog of 2026-05-21): only that they are answers counts.
 */
function accept(artifact: Artifact, body: unknown): RelayOutcome | null {
  const known = knownId(artifact)
  if (artifact.kind === 'order') {
    const placed = KalshiPlaced.safeParse(body)
    if (!placed.success) return null
    const { order_id, fill_count } = placed.data
    return { kind: 'accepted', venueRef: order_id, status: 'acked', fills: [], ...matchedAtOnce(fill_count) }
  }
  const parsed = (artifact.kind === 'cancel' ? KalshiCanceled : KalshiPlaced).safeParse(body)
  if (!parsed.success) return null
  return { kind: 'accepted', venueRef: known ?? parsed.data.order_id, status: 'acked', fills: [] }
}

function knownId(artifact: Artifact): string | null {
  if (artifact.kind === 'order') return null
  return artifact.kind === 'cancel' ? artifact.cancel.order_id : artifact.amend.order_id
}
