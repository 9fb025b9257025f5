// The signed order, or its cancellation, sent once. No key is needed: the signature identifies the owner, and also authorizes the
// cancellation.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { isContractIntent, type JsonObject } from '#schemas/executions'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { sendTimeoutMs } from '../../shared/exec/apiKeyClient.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { noNodeOf } from '../../shared/exec/sentCall.ts'
import { contractSignature, SignatureText, signatureExample } from '../../shared/exec/signature.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { type CancelArtifact, readArtifact } from './artifact.ts'
import { acceptCancel, acceptOrder, myriadErrors } from './errors.ts'
import { hasRpcNode, transactions } from './transaction.ts'
import { type OrderMessage, orderHash } from './typedData.ts'
import { paths } from './wire.ts'

export const SubmitBody = z
  .strictObject({
    /**
     * Of an order. A cancellation uses the signature that the order was sent with, which must be supplied if the order was fired from
     * here.
     */
    signature: SignatureText.optional(),
    /** For a trade with a pool, a redemption, a split or a merge: one of the two. */
    ...transactions.body.shape,
  })
  .meta({ examples: [{ signature: signatureExample }] })
export type SubmitBody = z.infer<typeof SubmitBody>

const Signed = z.object({ signature: SignatureText })

export async function prepare(
  context: LaneContext,
  execution: LaneExecution,
  { signature, ...transaction }: SubmitBody,
): Promise<Prepared> {
  const { unsigned, target } = execution
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'call') {
    const isReport = isContractIntent(execution.intent) && transaction.transactionHash !== undefined
    if (!hasRpcNode(context, artifact.call.chainId) && !isReport) {
      const why = `a transaction is sent by the wallet that pays for it: no node of chain ${artifact.call.chainId} is configured`
      throw new Fault('NOT_IMPLEMENTED', why, { exchange: 'myriad' })
    }
    if (signature !== undefined) throw new Fault('VALIDATION_ERROR', 'signature: a transaction has its own')
    const send = transactions.body.safeParse(transaction)
    if (!send.success) throw new Fault('VALIDATION_ERROR', send.error.issues[0]!.message)
    if (hasRpcNode(context, artifact.call.chainId)) return transactions.prepare(context, execution, send.data)
    const hash = send.data.transactionHash!
    return { submittedArtifact: { ...unsigned, transactionHash: hash }, venueRef: hash }
  }
  const [surplus] = Object.entries(transaction).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (surplus !== undefined)
    throw new Fault('VALIDATION_ERROR', `${surplus}: an order of its book is not a transaction`)
  if (artifact.kind === 'cancel') {
    const written = await signatureOf(context, artifact.cancel, { sent: target?.submittedArtifact, given: signature })
    return { submittedArtifact: { ...artifact.cancel, signature: written }, venueRef: artifact.cancel.orderHash }
  }
  if (signature === undefined) throw new Fault('VALIDATION_ERROR', 'signature: is needed to place an order')
  const { message } = artifact.order
  const hash = orderHash(message)
  const written = await context.heavy(() => contractSignature('myriad', { hash, signer: message.trader }, signature))
  return { submittedArtifact: { ...artifact.order, signature: written } as unknown as JsonObject, venueRef: hash }
}

/** The order's: orders fired from here are stored without it. */
async function signatureOf(
  context: LaneContext,
  { orderHash: hash, order }: CancelArtifact,
  { sent, given }: { sent: JsonObject | null | undefined; given: Hex | undefined },
): Promise<string> {
  const kept = Signed.safeParse(sent)
  if (kept.success) {
    if (given === undefined) return kept.data.signature
    throw new Fault('VALIDATION_ERROR', 'signature: the one of the order is sent')
  }
  if (given === undefined)
    throw new Fault(
      'VALIDATION_ERROR',
      'signature: Crossbook fired this order and kept no signature: send the one it was armed with',
    )
  return context.heavy(() => contractSignature('myriad', { hash, signer: order.trader }, given))
}

export async function relay(context: LaneContext, execution: LaneExecution, prepared: Prepared): Promise<RelayOutcome> {
  const built = readArtifact(execution.unsigned)
  if (built.kind === 'call') {
    const { chainId } = built.call
    if (hasRpcNode(context, chainId)) return transactions.relay(context, execution, prepared)
    const reason = noNodeOf(chainId)
    return { kind: 'unknown', cause: new Error(reason), reason }
  }
  const { sender, urls, signal } = context
  const { submittedArtifact } = prepared
  const { signature: stored, ...unsigned } = submittedArtifact
  const { signature } = Signed.parse({ signature: stored })
  const artifact = readArtifact(unsigned)
  if (artifact.kind === 'call') throw new Fault('INTERNAL', 'a transaction was prepared')
  const send = (method: 'POST' | 'DELETE', path: string, body: object) =>
    sender.send({
      method,
      url: `${urls.REST}${path}`,
      text: JSON.stringify(body),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      timeoutMs: sendTimeoutMs,
      signal,
    })
  if (artifact.kind === 'cancel') {
    const { orderHash: hash, order, network_id } = artifact.cancel
    const sent = await send('DELETE', paths.order + hash, { ...signed(order, signature), network_id })
    return relayOutcome(myriadErrors, sent, (body) => acceptCancel(body, hash))
  }
  const { message, post } = artifact.order
  const { network_id, time_in_force } = post
  const sent = await send('POST', paths.orders, { ...signed(message, signature), network_id, time_in_force })
  return relayOutcome(myriadErrors, sent, acceptOrder)
}

/** Member by member in the order of the struct, as the venue's documentation writes it. */
function signed(message: OrderMessage, signature: Hex) {
  const { trader, marketId, outcomeId, side, amount, price, minFillAmount, nonce, expiration } = message
  return {
    order: { trader, marketId, outcomeId, side, amount, price, minFillAmount, nonce, expiration },
    signature,
  }
}
