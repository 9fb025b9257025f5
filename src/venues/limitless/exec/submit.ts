// The signed order, sent once under the caller's token or session, after checking the owner's profile against what was
// signed.
import { Fault } from '#core/fault'
import type { LaneContext, LaneExecution } from '../../lane.ts'
import { readKeyed } from '../../shared/exec/apiKeyClient.ts'
import { walletSubmit } from '../../shared/exec/walletLane.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import { Credentials, limitlessApi } from './auth.ts'
import { acceptCancel, acceptOrder } from './errors.ts'
import { order } from './typedData.ts'
import { LimitlessProfile, paths } from './wire.ts'

export const submit = walletSubmit({
  venue: 'limitless',
  credentials: Credentials,
  api: () => limitlessApi,
  readArtifact,
  order: {
    signed: ({ message, domain }) => ({
      hash: order.hash(message, domain.verifyingContract),
      signer: message.signer,
      venueRef: null,
    }),
    check: checkProfile,
    call: (signed, signature) => ({ method: 'POST', path: paths.orders, text: postText(signed, signature) }),
    accept: acceptOrder,
  },
  cancel: {
    call: ({ clientOrderId }) => ({ method: 'POST', path: paths.cancel, text: JSON.stringify({ clientOrderId }) }),
    orderIdIn: ({ clientOrderId }) => clientOrderId,
    accept: (body, { clientOrderId }) => acceptCancel(body, clientOrderId),
  },
})

/** The venue refuses an order with a fee other than its owner's, and does not show other owners' profiles. */
async function checkProfile(
  context: LaneContext,
  { bounds }: LaneExecution,
  { message, post }: OrderArtifact,
  credentials: Credentials,
): Promise<void> {
  const path = `${paths.profile}${message.maker}`
  const { id, rank } = await readKeyed(limitlessApi, { context, credentials, path, shape: LimitlessProfile })
  if (id !== String(post.ownerId)) throw wrong(`ownerId: the profile of ${message.maker} is ${id}`)
  // The market charges nothing, or charges in USDC: the signed rate is then not the owner's.
  if (bounds.feeFree === true || rank?.feeRateBps === message.feeRateBps) return
  throw wrong(`feeRateBps: the rank of ${message.maker} pays ${rank?.feeRateBps ?? 'a rate that is not shown'}`)
}

const wrong = (message: string): Fault =>
  new Fault('VALIDATION_ERROR', `${message}: build it again`, { exchange: 'limitless', afterWork: true })

/** As the venue's own client writes it, member by member; the client order id is ours. */
function postText({ message, post }: OrderArtifact, signature: string): string {
  return JSON.stringify({
    order: {
      salt: Number(message.salt),
      maker: message.maker,
      signer: message.signer,
      taker: message.taker,
      tokenId: message.tokenId,
      makerAmount: Number(message.makerAmount),
      takerAmount: Number(message.takerAmount),
      expiration: message.expiration,
      nonce: Number(message.nonce),
      feeRateBps: Number(message.feeRateBps),
      side: message.side,
      signatureType: message.signatureType,
      price: Number(post.price),
      signature,
    },
    orderType: post.orderType,
    marketSlug: post.marketSlug,
    ownerId: post.ownerId,
    postOnly: post.postOnly,
    clientOrderId: post.clientOrderId,
    stpPolicy: post.stpPolicy,
  })
}
