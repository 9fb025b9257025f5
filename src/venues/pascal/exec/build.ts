// An order as a permit for the owner's trading key. It reads from the catalog, so the data half must write there:
//
//   market.marketId    the symbol, as the permit signs it
//   market.outcomes    YES and NO over the symbol's one book: buying NO at p is selling YES at 1 − p
//   market.tickSize    the venue's `tick_size_min`
import { z } from 'zod'
import { subtractDecimals, toUnits } from '#core/decimal'
import type { Built, LaneContext, LaneExecution, ResolvedOutcome } from '../../lane.ts'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { checkBetween, checkStep, decimalOf, readContracts } from '../../shared/exec/amounts.ts'
import { cancellation, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { Amount, isSingleOutcome, resolveSelector, selectorMessage, selectorShape } from '../../shared/selector.ts'
import { idsOf, isSymbol } from '../symbol.ts'
import { boundsOf, cancelArtifact, type OrderRequest, orderArtifact, readArtifact } from './artifact.ts'
import { PublicKey } from './base58.ts'
import { metadata, recvWindowMaxMs } from './permit.ts'

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      price: Amount,
      size: Amount,
      /** The wallet whose collateral pays, base58. */
      owner: PublicKey,
      /** A trading key that the wallet has registered at the venue, base58: the signing key. */
      signer: PublicKey,
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .meta({
    examples: [
      {
        outcome: 'ME_SEN_2026.REP',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.45',
        size: 10,
        owner: 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB',
        signer: '2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1',
      },
    ],
  })
type OrderBody = z.infer<typeof OrderBody>

export const CancelBody = z
  .strictObject({ signer: PublicKey }, { error: credentialAtBuild })
  .meta({ examples: [{ signer: '2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1' }] })
type CancelBody = z.infer<typeof CancelBody>

export interface Facts {
  symbol: string
  outcomeId: string
  side: 'YES' | 'NO'
  /** Decimal string. */
  tick: string
  deploymentId: number
}

export const gatherFacts = async ({ catalog, urls }: LaneContext, body: OrderBody): Promise<Facts> => ({
  ...readCatalogFacts(await resolveSelector(catalog, body)),
  deploymentId: deploymentOf(urls.TRADE ?? ''),
})

/** Signed with every permit. Only the canary's own host is the canary. */
export const deploymentOf = (url: string): number =>
  URL.canParse(url) && new URL(url).hostname === 'trade.canary.pascal.trade' ? 2 : 3

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): Omit<Facts, 'deploymentId'> {
  const { marketId: symbol } = market
  checkTakesOrders('outcome', market)
  const tick = readFact('pascal', market, TickSize, market.tickSize)
  const { outcomeId } = outcome
  if (!isSymbol(symbol) || idsOf(symbol)[side === 'YES' ? 0 : 1] !== outcomeId) {
    throw incomplete('pascal', symbol, `outcome ${outcomeId} is not its ${side}`)
  }
  return { symbol, outcomeId, side, tick }
}

export function build({ clock, randomBytes }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { symbol, outcomeId, side: outcomeSide, tick, deploymentId } = facts
  const { isBuy, owner, signer } = body
  const price = readPrice(body.price, tick)
  const size = readContracts('size', body.size, sizeMax)
  const request: OrderRequest = {
    client_order_id: newClientOrderId(randomBytes(8)),
    symbol,
    side: isBuy === (outcomeSide === 'YES') ? 'BID' : 'ASK',
    price: sixDecimals(outcomeSide === 'YES' ? price : subtractDecimals('1', price)),
    size,
    metadata: String(metadata) as OrderRequest['metadata'],
    auth: authOf(clock.now(), owner, signer),
  }
  const unsigned = orderArtifact(deploymentId, request)
  const terms = { marketId: symbol, outcomeId, outcomeSide, isBuy, price, size }
  return {
    unsigned,
    terms,
    // Positions may go below zero: selling what is not held means buying the other side.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: false }),
    // The formula is known, but not its rounding nor an account's discounts.
    feeEstimate: null,
    bounds: { ...boundsOf(unsigned), tick },
    clientRef: request.client_order_id,
    warnings: [],
    owner,
  }
}

/** A permit of its own, made now: the order's has long expired. */
export async function buildCancel(
  { clock }: LaneContext,
  target: LaneExecution,
  { signer }: CancelBody,
): Promise<Built> {
  const { deploymentId } = readArtifact(target.unsigned)
  const owner = ownerOf('pascal', target)
  const clientOrderId = orderIdOf('pascal', target)
  const unsigned = cancelArtifact(deploymentId, {
    client_order_id: clientOrderId,
    metadata: String(metadata) as OrderRequest['metadata'],
    auth: authOf(clock.now(), owner, signer),
  })
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: clientOrderId, owner })
}

const authOf = (nowMs: number, owner: string, signer: string): OrderRequest['auth'] => ({
  client_ts_ms: String(nowMs),
  recv_window_ms: String(recvWindowMaxMs) as OrderRequest['auth']['recv_window_ms'],
  owner,
  signer,
})

/** The permit has room for 2^64 of them. */
const sizeMax = '1000000000000'

function readPrice(given: number | string, tick: string): string {
  const price = decimalOf('price', given)
  checkBetween('price', price, tick, subtractDecimals('1', tick))
  checkStep('price', price, tick)
  return price
}

const sixDecimals = (price: string): string => `0.${toUnits(price, 6).toString().padStart(6, '0')}`

/** Within 53 bits, and never 0. */
const newClientOrderId = (bytes: Uint8Array): string => ((Buffer.from(bytes).readBigUInt64BE(0) >> 11n) | 1n).toString()
