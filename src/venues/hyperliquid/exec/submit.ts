// The signed action, checked and sent once.
import { z } from 'zod'
import { compareDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { type Action, type Hex, ordered } from './action.ts'
import { acceptance, hyperliquidWords } from './answer.ts'
import { ActionShape, readArtifact } from './artifact.ts'
import { readExecuted } from './modify.ts'
import { verifySignature } from './signature.ts'

const sendTimeoutMs = 10_000

export const SubmitBody = z.strictObject({
  signature: z
    .string()
    .regex(/^0x[0-9a-fA-F]{130}$/, 'must be 0x and 130 hex digits: r, s and v')
    .transform((text) => text as Hex),
})
export type SubmitBody = z.infer<typeof SubmitBody>

const SignedAction = z.object({
  action: ActionShape,
  nonce: z.number().int(),
  signature: z.object({ r: z.string(), s: z.string(), v: z.union([z.literal(27), z.literal(28)]) }),
})

export async function prepare(context: LaneContext, execution: LaneExecution, send: SubmitBody): Promise<Prepared> {
  const { owner } = execution
  if (owner === null) throw new Fault('INTERNAL', 'a hyperliquid execution without its owner')
  const artifact = readArtifact(execution.unsigned)
  const signature = await verifySignature(context, artifact, owner, send.signature)
  const { action, nonce } = artifact
  await checkStillFits(context, execution, action)
  return {
    submittedArtifact: { action, nonce, signature } as unknown as JsonObject,
    // An order id is given by the venue; a cancel knows it already.
    venueRef: action.type === 'cancel' ? String(action.cancels[0]?.o) : null,
  }
}

/** What was filled between the build and now would rest a second time. */
async function checkStillFits(context: LaneContext, execution: LaneExecution, action: Action): Promise<void> {
  const replaced = action.type === 'batchModify' ? action.modifies[0]?.oid : undefined
  const { executed } = execution.bounds
  if (replaced === undefined || typeof executed !== 'string') return
  if (compareDecimals(await readExecuted(context, execution, replaced), executed) === 0) return
  throw new Fault(
    'ARTIFACT_BOUNDS_VIOLATION',
    'more of the order was filled since this change was built: build it again',
    {
      exchange: 'hyperliquid',
    },
  )
}

export async function relay(
  { sender, urls, signal }: LaneContext,
  _execution: LaneExecution,
  prepared: Prepared,
): Promise<RelayOutcome> {
  const { action, nonce, signature } = SignedAction.parse(prepared.submittedArtifact)
  const sent = await sender.send({
    method: 'POST',
    url: `${urls.REST}/exchange`,
    text: JSON.stringify({ action: ordered(action), nonce, signature }),
    headers: { 'content-type': 'application/json' },
    timeoutMs: sendTimeoutMs,
    signal,
  })
  return relayOutcome(hyperliquidWords, sent, (body) => acceptance(body, prepared.venueRef))
}
