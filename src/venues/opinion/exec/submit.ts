// The signed order, sent once under the caller's API key.

import type { Hex } from '../../shared/exec/typedOrder.ts'
import { walletSubmit } from '../../shared/exec/walletLane.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import { Credentials, opinionApi } from './auth.ts'
import { acceptCancel, acceptOrder } from './errors.ts'
import { orderHash } from './typedData.ts'
import { paths } from './wire.ts'

const limitOrder = 2

export const submit = walletSubmit({
  venue: 'opinion',
  credentials: Credentials,
  api: () => opinionApi,
  readArtifact,
  order: {
    // The venue assigns an id of its own.
    signed: ({ message, domain }) => ({
      hash: orderHash(message, domain.verifyingContract),
      signer: message.signer,
      venueRef: null,
    }),
    call: (order, signature, _credentials, { clock }) => ({
      method: 'POST',
      path: paths.order,
      text: postText(order, signature, clock.now()),
    }),
    accept(body, { unsigned, terms }) {
      const artifact = readArtifact(unsigned)
      return artifact.kind === 'order' ? acceptOrder(body, artifact.order.post.topicId, terms) : null
    },
  },
  cancel: {
    call: ({ orderId }) => ({ method: 'POST', path: paths.cancel, text: JSON.stringify({ orderId }) }),
    orderIdIn: ({ orderId }) => orderId,
    accept: (body, { orderId }) => acceptCancel(body, orderId),
  },
})

/**
 * As the venue's own client writes it, member by member; `sign` is the whole signature there, only its first half in other
 * clients.
 */
function postText({ message, post }: OrderArtifact, signature: Hex, nowMs: number): string {
  return JSON.stringify({
    salt: message.salt,
    topicId: post.topicId,
    maker: message.maker,
    signer: message.signer,
    taker: message.taker,
    tokenId: message.tokenId,
    makerAmount: message.makerAmount,
    takerAmount: message.takerAmount,
    expiration: message.expiration,
    nonce: message.nonce,
    feeRateBps: message.feeRateBps,
    side: String(message.side),
    signatureType: String(message.signatureType),
    signature,
    sign: signature,
    contractAddress: '',
    currencyAddress: post.currencyAddress,
    price: post.price,
    tradingMethod: limitOrder,
    timestamp: Math.floor(nowMs / 1_000),
    safeRate: '0',
    orderExpTime: message.expiration,
    postOnly: post.postOnly,
  })
}
