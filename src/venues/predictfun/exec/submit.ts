// The signed order, sent once under the caller's key and token. A smart wallet owner's signature is sent in the form the wallet
// accepts.
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { walletSubmit } from '../../shared/exec/walletLane.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import { Credentials, predictApi } from './auth.ts'
import { acceptCancel, acceptOrder } from './errors.ts'
import { kernelSignature, orderHash, personalHash } from './typedData.ts'
import { paths } from './wire.ts'

const hashOf = ({ message, domain }: OrderArtifact): Hex => orderHash(message, domain.verifyingContract)

export const submit = walletSubmit({
  venue: 'predictfun',
  credentials: Credentials,
  api: () => predictApi,
  readArtifact,
  order: {
    signed(order) {
      const { message, kernel } = order
      const venueRef = hashOf(order)
      return kernel === undefined
        ? { hash: venueRef, signer: message.signer, venueRef }
        : { hash: personalHash(kernel.digest), signer: kernel.owner, venueRef }
    },
    call: (order, signature) => ({ method: 'POST', path: paths.orders, text: postText(order, signature) }),
    accept: acceptOrder,
  },
  cancel: {
    call: ({ orderHash }) => ({
      method: 'POST',
      path: paths.remove,
      text: JSON.stringify({ data: { hashes: [orderHash] } }),
    }),
    orderIdIn: ({ orderHash }) => orderHash,
    accept: (body, { orderHash }) => acceptCancel(body, orderHash),
  },
})

/** The order as the official client builds it, member by member, then its hash and signature. */
function postText(order: OrderArtifact, signature: Hex): string {
  const { message, post, kernel } = order
  return JSON.stringify({
    data: {
      order: {
        salt: message.salt,
        maker: message.maker,
        signer: message.signer,
        taker: message.taker,
        tokenId: message.tokenId,
        makerAmount: message.makerAmount,
        takerAmount: message.takerAmount,
        expiration: message.expiration,
        nonce: message.nonce,
        feeRateBps: message.feeRateBps,
        side: message.side,
        signatureType: message.signatureType,
        signature: kernel === undefined ? signature : kernelSignature(signature),
        hash: hashOf(order),
      },
      pricePerShare: post.pricePerShare,
      strategy: post.strategy,
      isPostOnly: post.isPostOnly,
      selfTradePrevention: post.selfTradePrevention,
    },
  })
}
