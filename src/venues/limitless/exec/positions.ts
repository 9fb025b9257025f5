// Splits and merges go to the conditional tokens contract itself, which takes and pays USDC.
// https://docs.limitless.exchange/user-guide/merge-split
import { Fault } from '#core/fault'
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
import { readFacts } from './facts.ts'
import { confirmations } from './redeem.ts'
import { chainId, conditionalTokens, usdc } from './typedData.ts'

const venue = 'limitless'
const decimals = 6

export const buildSplit = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('split', context, body)
export const buildMerge = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('merge', context, body)

async function buildSet(kind: 'split' | 'merge', { catalog }: LaneContext, body: SetBody): Promise<Built> {
  const resolved = await resolveSet(catalog, body)
  checkSplittable(kind, resolved)
  const { conditionId, negRisk } = readFacts(resolved)
  // Its tokens are an adapter's, whose calls are undocumented.
  if (negRisk !== false) {
    throw new Fault('NOT_IMPLEMENTED', `limitless publishes no call for a ${kind} of a negative-risk market`, {
      exchange: venue,
    })
  }
  const { size, units } = readCallAmount(body.amount, decimals)
  const data = encodePositionCall({ kind, conditionId, amount: units }, { collateral: usdc })
  const approval = `, and must first have approved ${conditionalTokens} for USDC (approve)`
  return positionBuilt(
    { to: conditionalTokens, data, chainId },
    {
      kind,
      owner: body.owner,
      warnings: [`the wallet that holds the tokens must send this${kind === 'split' ? approval : ''}`],
      exchange: setExchange(kind, resolved, size),
      currency: 'USDC',
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
