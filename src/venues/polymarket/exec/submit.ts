// The signed order, or the cancellation, sent once under the caller's API key. The key's id is in the posted body as `owner`: it is
// filled in on sending and never stored.
import { walletSubmit } from '../../shared/exec/walletLane.ts'
import { acceptCancel, acceptOrder } from './answer.ts'
import { type OrderArtifact, readArtifact } from './artifact.ts'
import { Credentials, clobApi } from './auth.ts'
import { orderHash } from './typedData.ts'
import { paths } from './wire.ts'

export const submit = walletSubmit({
  venue: 'polymarket',
  credentials: Credentials,
  api: clobApi,
  readArtifact,
  order: {
    // For a Proxy or Safe the owner signs too: the contract derives the wallet.
    signed({ message, domain }) {
      const hash = orderHash(message, domain.verifyingContract)
      return { hash, signer: message.signer, venueRef: hash }
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
function postText({ message, post }: OrderArtifact, signature: string, apiKey: string): string {
  return JSON.stringify({
    deferExec: false,
    postOnly: false,
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
