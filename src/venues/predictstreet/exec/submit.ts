// The signed order, or the cancellation, sent once under the caller's key.
import type { z } from 'zod'
import type { LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { SignatureText, signatureExample } from '../../shared/exec/signature.ts'
import { walletSubmit } from '../../shared/exec/walletLane.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import { Credentials, checkOwner, NamedCredentials, streetApi } from './auth.ts'
import { acceptCancel, acceptOrder } from './errors.ts'
import { order } from './typedData.ts'
import { paths } from './wire.ts'

const keyed = walletSubmit({
  venue: 'predictstreet',
  credentials: Credentials,
  api: streetApi,
  readArtifact,
  order: {
    // The vault is the owner's clone, which the contract derives.
    signed: ({ message, domain }) => ({ hash: order.hash(message, domain), signer: message.signer, venueRef: null }),
    call: (signed, signature) => ({ method: 'POST', path: paths.place, text: postText(signed, signature) }),
    accept: acceptOrder,
  },
  cancel: {
    call: ({ orderId }) => ({ method: 'POST', path: paths.cancel, text: JSON.stringify({ orderId }) }),
    orderIdIn: ({ orderId }) => orderId,
    accept: (body, { orderId }) => acceptCancel(body, orderId),
  },
})

const SubmitBody = NamedCredentials.extend({ signature: SignatureText.optional() }).meta({
  examples: [{ owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', apiKey: 'ps_live_1', signature: signatureExample }],
})
type SubmitBody = z.infer<typeof SubmitBody>

export const submit = {
  body: SubmitBody,
  fields: Object.keys(SubmitBody.shape),
  prepare(context: LaneContext, execution: LaneExecution, { owner, ...send }: SubmitBody): Promise<Prepared> {
    checkOwner(execution, owner)
    return keyed.prepare(context, execution, send)
  },
  relay: (
    context: LaneContext,
    execution: LaneExecution,
    prepared: Prepared,
    { owner: _, ...send }: SubmitBody,
  ): Promise<RelayOutcome> => keyed.relay(context, execution, prepared, send),
}

/**
 * Member by member as the venue documents it; extra members are refused. It reads the rest of the struct from the market.
 */
function postText({ message, post }: OrderArtifact, signature: string): string {
  return JSON.stringify({
    marketId: post.marketId,
    side: message.side === 0 ? 'buy' : 'sell',
    outcome: post.outcome,
    price: post.price,
    quantity: post.quantity,
    nonce: message.salt,
    expiry: Number(message.expiration),
    maker: message.maker,
    signature,
    clientOrderId: post.clientOrderId,
    type: 'limit',
    timeInForce: 'gtc',
  })
}
