// The only artifact this lane stores, ready for a wallet's signTypedData. It accepts any domain, bound to the one it was built for.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker, readBounds } from '../../shared/exec/bounds.ts'
import { checkAmounts, hexText, Uint } from '../../shared/exec/typedOrder.ts'
import { accountKinds } from './body.ts'
import { orderFor, zeroBytes32 } from './typedData.ts'

const Message = z.strictObject({
  salt: Uint,
  maker: hexText(40),
  signer: hexText(40),
  tokenId: Uint,
  makerAmount: Uint,
  takerAmount: Uint,
  side: z.literal([0, 1]),
  signatureType: z.literal([accountKinds.direct, accountKinds.smart]),
  /** Epoch ms. */
  timestamp: z.string().regex(/^\d{1,15}$/),
  metadata: z.literal(zeroBytes32),
  builder: z.literal(zeroBytes32),
})
export type OrderMessage = z.infer<typeof Message>

const noDomain = { name: '', version: '', chainId: 0 }

const OrderArtifact = orderFor(noDomain)
  .shapeOf(Message, hexText(40))
  .extend({
    domain: z.strictObject({
      name: z.string(),
      version: z.string(),
      chainId: z.int().positive(),
      verifyingContract: hexText(40),
    }),
  })

/** Its artifacts by intent: as stored, and read back. */
export const artifacts = { order: OrderArtifact }

export const readArtifact = artifactReader('xo', OrderArtifact)

/** An artifact's self-description. Throws for an invalid one. */
export function boundsOf(unsigned: JsonObject): JsonObject {
  const { domain, message } = readArtifact(unsigned)
  const { name, version, chainId, verifyingContract: exchange } = domain
  const { tokenId, side, maker, signer, signatureType, makerAmount, takerAmount } = message
  return {
    kind: 'order',
    domain: `${name} ${version}`,
    chainId,
    exchange,
    tokenId,
    side,
    maker,
    signer,
    signatureType,
    makerAmount,
    takerAmount,
  }
}

const checkSame = boundsChecker('xo', boundsOf, {
  order: {
    otherwise: 'the artifact differs from what was built',
    same: {
      domain: 'it is for another domain',
      chainId: 'it is for another chain',
      exchange: 'it is for another exchange',
      tokenId: 'it has another tokenId',
      side: 'it has another side',
      maker: 'it has another maker',
      signer: 'it has another signer',
      signatureType: 'it has another signatureType',
    },
  },
})

const Held = z.object({ makerAmount: Uint, takerAmount: Uint })

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const { message } = readArtifact(unsigned)
  checkAmounts('xo', message, readBounds('xo', Held, bounds))
  const { side, makerAmount, takerAmount } = message
  const [cash, shares] = side === 0 ? [makerAmount, takerAmount] : [takerAmount, makerAmount]
  if (BigInt(cash) <= 0n || BigInt(cash) >= BigInt(shares)) throw violation('xo', 'its price is not a probability')
}
