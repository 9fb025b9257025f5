// Splits, merges and conversions go to the token contract of the market's kind, or to the adapter of negative-risk markets. A smart wallet sends
// them as a call of its own.
import { z } from 'zod'
import type { PositionIntent } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import { violation } from '../../shared/exec/artifact.ts'
import { readFact } from '../../shared/exec/catalogFacts.ts'
import { readQuestions, resolveConverted } from '../../shared/exec/conversion.ts'
import {
  checkSplittable,
  convertExchange,
  noConversion,
  positionBuilt,
  resolveSet,
  setExchange,
} from '../../shared/exec/positionBuilds.ts'
import {
  encodePositionCall,
  type PositionCall,
  readCallAmount,
  readPositionCall,
} from '../../shared/exec/positionCalls.ts'
import type { Redemption } from '../../shared/exec/redemption.ts'
import { sentPositionCall } from '../../shared/exec/sentPositionCall.ts'
import { type Hex, hexText } from '../../shared/exec/typedOrder.ts'
import { decimals } from './amounts.ts'
import { readCall } from './artifact.ts'
import type { ConvertBody, SetBody } from './body.ts'
import { readCatalogFacts } from './facts.ts'
import { executed, holderIn, innerCall } from './kernelCall.ts'
import { confirmations } from './redeem.ts'
import { chainId, kindOf, redeemers, usdt } from './typedData.ts'

const venue = 'predictfun'
const currency = 'USDT'

export const buildSplit = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('split', context, body)
export const buildMerge = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('merge', context, body)

async function buildSet(kind: 'split' | 'merge', { catalog }: LaneContext, body: SetBody): Promise<Built> {
  const resolved = await resolveSet(catalog, body)
  checkSplittable(kind, resolved)
  const facts = readCatalogFacts(resolved)
  const { size, units } = readCallAmount(body.amount, decimals)
  const to = redeemers[kindOf(facts)]
  const collateral = facts.negRisk ? null : usdt
  const data = encodePositionCall({ kind, conditionId: facts.conditionId, amount: units }, { collateral })
  const split = `, which must first have approved ${to} for USDT (approve)`
  // The adapter takes the tokens; the token contract itself burns them.
  const merge = facts.negRisk ? `, which must first have approved ${to} for them (setApprovalForAll)` : ''
  return positionBuilt(
    { ...sentBy(body, { to, data }), chainId },
    {
      kind,
      owner: body.owner,
      warnings: [`${senderOf(body)} must send this${kind === 'split' ? split : merge}`],
      exchange: setExchange(kind, resolved, size),
      currency,
    },
  )
}

const Event = z.object({ negRiskOnChainId: hexText(64) })
const Condition = z.object({
  conditionId: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/)
    .transform((text): Hex => `0x${text.slice(-64)}`),
})

export async function buildConvert(context: LaneContext, body: ConvertBody): Promise<Built> {
  const converted = await resolveConverted(context, venue, body.outcomes)
  const kinds = converted.given.map((row) => kindOf(readCatalogFacts(row)))
  const [kind] = kinds
  if ((kind !== 'negRisk' && kind !== 'yieldNegRisk') || kinds.some((other) => other !== kind)) {
    throw noConversion(venue)
  }
  const { negRiskOnChainId: negRiskMarketId } = readFact(
    venue,
    converted.given[0]!.market,
    Event,
    converted.event.sourceMetadata,
  )
  const { units } = readCallAmount(body.amount, decimals)
  const to = redeemers[kind]
  const { indexSet, ...questions } = await readQuestions(context, { venue, chainId, address: to }, converted, {
    negRiskMarketId,
    conditionOf: ({ market }) => Condition.safeParse(market.sourceMetadata).data?.conditionId ?? null,
  })
  const data = encodePositionCall({ kind: 'convert', negRiskMarketId, indexSet, amount: units }, { collateral: null })
  return positionBuilt(
    { ...sentBy(body, { to, data }), chainId },
    {
      kind: 'convert',
      owner: body.owner,
      warnings: [`${senderOf(body)} must send this, which must first have approved ${to} for them (setApprovalForAll)`],
      exchange: convertExchange({ ...questions, units, decimals }),
      currency,
    },
  )
}

const sentBy = ({ predictAccount }: Pick<SetBody, 'predictAccount'>, call: Redemption): Redemption =>
  predictAccount === undefined ? call : { to: predictAccount, data: executed(call) }

const senderOf = ({ predictAccount }: Pick<SetBody, 'predictAccount'>): string =>
  predictAccount === undefined ? 'the wallet that holds the tokens' : 'the owner of the smart wallet'

function exchangeIn(data: Hex): PositionCall {
  let call: Hex
  try {
    call = innerCall(data)
  } catch (error) {
    throw violation(venue, 'it exchanges nothing that this lane builds', String(error))
  }
  return readPositionCall(venue, call)
}

export const sent = (intent: PositionIntent) =>
  sentPositionCall(intent, {
    venue,
    chainId,
    confirmations,
    contracts: Object.values(redeemers),
    readCall,
    exchangeIn,
    // A smart wallet is called by its owner, and holds the tokens.
    holderIn,
  })
