// The stored body, sent once under an Ed25519 signature made from the caller's transient key.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { MatchedSize, matchedAtOnce } from '../../shared/exec/matchedAtOnce.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { redactAnswer } from '../../shared/redact.ts'
import { usWords } from './answer.ts'
import { type CancelArtifact, isCancel, OrderId, readArtifact, requestOf } from './artifact.ts'
import { authHeaders, type Credentials } from './auth.ts'

export const sendTimeoutMs = 10_000

const Created = z.object({
  id: OrderId,
  executions: z
    .array(
      z
        .object({
          type: z.string(),
          text: z.string().optional(),
          orderRejectReason: z.string().optional(),
          order: z.object({ cumQuantity: MatchedSize }).nullish().catch(null),
        })
        .loose(),
    )
    .nullish(),
})

const Empty = z.strictObject({}).nullable()

/** Authless as it was built. A key that cannot sign is refused here, before anything is recorded as sent. */
export async function prepare(
  _context: LaneContext,
  execution: LaneExecution,
  credentials: Credentials,
): Promise<Prepared> {
  const artifact = readArtifact(execution.unsigned)
  authHeaders(credentials, 'POST', requestOf(artifact).path, 0)
  return {
    submittedArtifact: artifact as unknown as JsonObject,
    venueRef: isCancel(artifact) ? artifact.orderId : null,
  }
}

export async function relay(
  { sender, clock, urls, signal }: LaneContext,
  _execution: LaneExecution,
  prepared: Prepared,
  credentials: Credentials,
): Promise<RelayOutcome> {
  const artifact = readArtifact(prepared.submittedArtifact)
  const { path, text } = requestOf(artifact)
  const sent = await sender.send({
    method: 'POST',
    url: `${urls.API}${path}`,
    text,
    headers: () => authHeaders(credentials, 'POST', path, clock.now()),
    timeoutMs: sendTimeoutMs,
    signal,
  })
  const answer = redactAnswer(sent, Object.values(credentials))
  return relayOutcome(usWords, answer, isCancel(artifact) ? canceled(artifact) : created)
}

/** Also where it filled at once: refresh brings the fill with the transition, and so it is counted once. */
function created(body: unknown): RelayOutcome | null {
  const parsed = Created.safeParse(body)
  if (!parsed.success) return null
  const rejection = parsed.data.executions?.find(({ type }) => type === 'EXECUTION_TYPE_REJECTED')
  if (rejection !== undefined) {
    return { kind: 'rejected', reason: rejection.text || rejection.orderRejectReason || 'order rejected' }
  }
  // A sum that only grows: the last word is the most.
  const cumQuantity = parsed.data.executions?.findLast(({ order }) => order?.cumQuantity != null)?.order?.cumQuantity
  return { kind: 'accepted', venueRef: parsed.data.id, status: 'acked', fills: [], ...matchedAtOnce(cumQuantity) }
}

/** The venue answers a cancellation with an empty 200; a page in its place is somebody else's. */
const canceled =
  ({ orderId }: CancelArtifact) =>
  (body: unknown): RelayOutcome | null =>
    Empty.safeParse(body).success ? { kind: 'accepted', venueRef: orderId, status: 'acked', fills: [] } : null
