// The signed order, or the cancellation, sent once under the caller's API key. The key's id is in the posted body as `owner`: it is
// filled in on sending and never stored.
import { walletSubmit } from '../../shared/exec/walletLane.ts'
import { type OrderArtifact, orderIn, readArtifact } from './artifact.ts'
import { Credentials, clobApi } from './auth.ts'
import { checkWithWallet, walletDigest, walletSignature } from './depositWallet.ts'
import { acceptCancel, acceptOrder } from './errors.ts'
import { type Hex, orderHash } from './typedData.ts'
import { paths } from './wire.ts'

export const submit = walletSubmit({
  venue: 'polymarket',
  credentials: Credentials,
  api: clobApi,
  readArtifact,
  order: {
    // For a Proxy or Safe the owner signs too: the contract derives the wallet. A deposit wallet asks for more than the order to be signed.
    signed(artifact, owner) {
      const { verifyingContract } = artifact.domain
      const message = orderIn(artifact)
      const venueRef = orderHash(message, verifyingContract)
      if (message.signatureType !== 3) return { hash: venueRef, signer: message.signer, venueRef }
      return { hash: walletDigest(message, verifyingContract), signer: owner, venueRef }
    },
    async check(context, _execution, artifact, _credentials, signature) {
      const message = orderIn(artifact)
      const exchange = artifact.domain.verifyingContract
      if (message.signatureType === 3) await checkWithWallet(context, { message, exchange, signature })
    },
    call: (order, signature, { apiKey }) => ({
      method: 'POST',
      path: paths.order,
      text: postText(order, signature, apiKey.reveal()),
    }),
    accept: acceptOrder,
  },
  cancel: {
    call: ({ orderID }) => ({ method: 'DELETE', path: paths.order, text: JSON.stringify({ orderID }) }),
    orderIdIn: ({ orderID }) => orderID,
    accept: (body, { orderID }) => acceptCancel(body, orderID),
  },
})

/** As the venue's own client writes it, member by member. */
function postText(artifact: OrderArtifact, owners: Hex, apiKey: string): string {
  const { post, domain } = artifact
  const message = orderIn(artifact)
  const isWallet = message.signatureType === 3
  const signature = isWallet ? walletSignature(message, domain.verifyingContract, owners) : owners
  return JSON.stringify({
    deferExec: false,
    postOnly: post.postOnly === true,
    order: {
      salt: Number(message.salt),
      maker: message.maker,
      signer: message.signer,
      tokenId: message.tokenId,
      makerAmount: message.makerAmount,
      takerAmount: message.takerAmount,
      side: message.side === 0 ? 'BUY' : 'SELL',
      signatureType: message.signatureType,
      timestamp: message.timestamp,
      expiration: post.expiration,
      metadata: message.metadata,
      builder: message.builder,
      signature,
    },
    owner: apiKey,
    orderType: post.orderType,
  })
}
