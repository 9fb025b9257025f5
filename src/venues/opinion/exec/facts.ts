// What a build must know: from the catalog the token, its market and the payment token; and read live, the exchange for which an order in that
// token
// is signed. An order for the wrong exchange settles nowhere. The data half writes into the catalog:
//
//   outcomeId                             {market}:{token}
//   market.tickSize                       0.0001
//   market.sourceMetadata.chainId, quoteToken, conditionId
import { getAddress } from 'viem'
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { type Hex, hexText } from '../../shared/exec/typedOrder.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { partsOf } from '../ids.ts'
import type { OrderBody } from './body.ts'
import { chainId } from './typedData.ts'
import { paths, QuoteToken, QuoteTokensAnswer } from './wire.ts'

export interface CatalogFacts {
  marketId: string
  outcomeId: string
  side: 'YES' | 'NO'
  tokenId: string
  /** The payment token. */
  quoteToken: Hex
  conditionId: Hex
}

export interface Facts extends CatalogFacts {
  /** Decimal string. */
  tick: string
  exchange: Hex
  /** Of the quote token, and so of the shares. */
  decimals: number
  /** Of the quote token; null when the venue does not name it. */
  symbol: string | null
}

export async function gatherFacts(context: LaneContext, body: OrderBody): Promise<Facts> {
  const resolved = await resolveSelector(context.catalog, body)
  checkTakesOrders('outcome', resolved.market)
  const catalog = readCatalogFacts(resolved)
  const tick = readFact('opinion', resolved.market, TickSize, resolved.market.tickSize)
  if (context.paper !== undefined) return { ...catalog, tick, ...paperToken }
  const { ctfExchangeAddress, decimal, symbol = null } = await readQuoteToken(context, catalog.quoteToken)
  return { ...catalog, tick, exchange: getAddress(ctfExchangeAddress), decimals: decimal, symbol }
}

/** For orders of paper accounts, which settle nowhere: no exchange, and the decimals of the venue's usual payment token. */
const paperToken = { exchange: '0x0000000000000000000000000000000000000001', decimals: 18, symbol: null } as const

const Metadata = z.object({
  chainId: z.literal(String(chainId)),
  quoteToken: hexText(40),
  /** The venue writes it without 0x. */
  conditionId: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/)
    .transform((text): Hex => `0x${text.slice(-64)}`),
})

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): CatalogFacts {
  const { marketId } = market
  const { quoteToken, conditionId } = readFact('opinion', market, Metadata, market.sourceMetadata)
  const { outcomeId } = outcome
  const parts = partsOf(outcomeId)
  if (parts === null || parts.marketId !== marketId) {
    throw incomplete('opinion', marketId, 'the outcome id names no token of this market')
  }
  return { marketId, outcomeId, side, tokenId: parts.token, quoteToken: getAddress(quoteToken), conditionId }
}

/** Public: no key is needed, and none is sent. */
export async function readQuoteToken(
  { http, urls, signal }: LaneContext,
  address: Hex,
): Promise<z.infer<typeof QuoteToken>> {
  const url = `${urls.REST}${paths.quoteTokens}`
  const { status, body } = await http.request({ url, query: { chainId: String(chainId) }, signal })
  const answer = QuoteTokensAnswer.safeParse(body)
  if (status !== 200 || !answer.success) {
    const why = answer.success ? '' : z.prettifyError(answer.error)
    throw new Fault('NETWORK_ERROR', 'opinion sent an answer we cannot read', {
      exchange: 'opinion',
      detail: `${paths.quoteTokens}: status ${status} ${why}`,
    })
  }
  for (const row of answer.data.result.list) {
    const token = QuoteToken.safeParse(row)
    if (token.data?.chainId === String(chainId) && getAddress(token.data.quoteTokenAddress) === address) {
      return token.data
    }
  }
  throw new Fault('EXEC_UNAVAILABLE', 'opinion names no exchange for the token this market is paid in', {
    exchange: 'opinion',
    detail: address,
  })
}
