// Splits and merges go to the contract that holds the shares, which takes and pays the market's token.
import type { PositionIntent } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import {
  checkSplittable,
  positionBuilt,
  resolveSet,
  type SetBody,
  setExchange,
} from '../../shared/exec/positionBuilds.ts'
import { encodePositionCall, readCallAmount, readPositionCall } from '../../shared/exec/positionCalls.ts'
import { sentPositionCall } from '../../shared/exec/sentPositionCall.ts'
import { readCall } from './artifact.ts'
import { readCatalogFacts, readQuoteToken } from './facts.ts'
import { confirmations } from './redeem.ts'
import { chainId, conditionalTokens } from './typedData.ts'

const venue = 'opinion'

export const buildSplit = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('split', context, body)
export const buildMerge = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('merge', context, body)

async function buildSet(kind: 'split' | 'merge', context: LaneContext, body: SetBody): Promise<Built> {
  const resolved = await resolveSet(context.catalog, body)
  checkSplittable(kind, resolved)
  const { quoteToken, conditionId } = readCatalogFacts(resolved)
  const { decimal, symbol = null } = await readQuoteToken(context, quoteToken)
  const { size, units } = readCallAmount(body.amount, decimal)
  const data = encodePositionCall({ kind, conditionId, amount: units }, { collateral: quoteToken })
  const sender = 'the wallet that holds the tokens must send this: a Safe as a transaction of its own'
  const approval = `; it must first have approved ${conditionalTokens} for ${symbol ?? quoteToken} (approve)`
  return positionBuilt(
    { to: conditionalTokens, data, chainId },
    {
      kind,
      owner: body.owner,
      warnings: [kind === 'split' ? sender + approval : sender],
      exchange: setExchange(kind, resolved, size),
      currency: symbol,
    },
  )
}

export const sent = (intent: PositionIntent) =>
  sentPositionCall(intent, {
    venue,
    chainId,
    confirmations,
    contracts: [conditionalTokens],
    readCall,
    exchangeIn: (data) => readPositionCall(venue, data),
  })
