// Splits, merges and conversions go to the collateral adapter of the market's kind, which takes and pays pUSD.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { PositionIntent } from '#schemas/executions'
import type { Built, LaneContext, ResolvedOutcome } from '../../lane.ts'
import { readFact } from '../../shared/exec/catalogFacts.ts'
import { readQuestions, resolveConverted } from '../../shared/exec/conversion.ts'
import {
  type ConvertBody,
  checkSplittable,
  convertExchange,
  noConversion,
  positionBuilt,
  resolveSet,
  type SetBody,
  setExchange,
} from '../../shared/exec/positionBuilds.ts'
import { encodePositionCall, readCallAmount, readPositionCall } from '../../shared/exec/positionCalls.ts'
import { sentPositionCall } from '../../shared/exec/sentPositionCall.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'
import { readCall } from './artifact.ts'
import { type CatalogFacts, readCatalogFacts } from './facts.ts'
import { confirmations } from './redeem.ts'
import { chainId, conditionalTokens, negRiskAdapter, pusd, redeemAdapters } from './typedData.ts'

const venue = 'polymarket'
const decimals = 6
const currency = 'pUSD'

export const buildSplit = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('split', context, body)
export const buildMerge = (context: LaneContext, body: SetBody): Promise<Built> => buildSet('merge', context, body)

async function buildSet(kind: 'split' | 'merge', { catalog }: LaneContext, body: SetBody): Promise<Built> {
  const resolved = await resolveSet(catalog, body)
  checkSplittable(kind, resolved)
  const { conditionId, negRisk } = protocol1(resolved, kind)
  const { size, units } = readCallAmount(body.amount, decimals)
  const to = negRisk ? redeemAdapters.negRisk : redeemAdapters.normal
  const data = encodePositionCall({ kind, conditionId, amount: units }, { collateral: pusd })
  const needs = kind === 'split' ? `pUSD (approve)` : 'them (setApprovalForAll)'
  return positionBuilt(
    { to, data, chainId },
    {
      kind,
      owner: body.owner,
      warnings: [`the wallet that holds the tokens must send this, and must first have approved ${to} for ${needs}`],
      exchange: setExchange(kind, resolved, size),
      currency,
    },
  )
}

const Event = z.object({ negRiskMarketId: hexText(64) })

export async function buildConvert(context: LaneContext, { outcomes, amount, owner }: ConvertBody): Promise<Built> {
  const converted = await resolveConverted(context, venue, outcomes)
  if (converted.given.some((row) => !protocol1(row, 'convert').negRisk)) throw noConversion(venue)
  const { negRiskMarketId } = readFact(venue, converted.given[0]!.market, Event, converted.event.sourceMetadata)
  const { units } = readCallAmount(amount, decimals)
  const { indexSet, ...questions } = await readQuestions(
    context,
    { venue, chainId, address: negRiskAdapter },
    converted,
    {
      negRiskMarketId,
      conditionOf: ({ market }) => Condition.safeParse(market.sourceMetadata).data?.conditionId ?? null,
    },
  )
  const to = redeemAdapters.negRisk
  const data = encodePositionCall({ kind: 'convert', negRiskMarketId, indexSet, amount: units }, { collateral: null })
  return positionBuilt(
    { to, data, chainId },
    {
      kind: 'convert',
      owner,
      warnings: [
        `the wallet that holds the tokens must send this, and must first have approved ${to} for them (setApprovalForAll)`,
      ],
      exchange: convertExchange({ ...questions, units, decimals }),
      currency,
    },
  )
}

const Condition = z.object({ conditionId: hexText(64) })

/** Positions of protocol 2 are held by another contract. */
function protocol1(resolved: ResolvedOutcome, verb: PositionIntent): CatalogFacts {
  const facts = readCatalogFacts(resolved)
  if (facts.protocol === 'v1') return facts
  const why = `no ${verb} of polymarket’s protocol 2 is built here: its positions are at its Router`
  throw new Fault('NOT_IMPLEMENTED', why, { exchange: venue })
}

export const sent = (intent: PositionIntent) =>
  sentPositionCall(intent, {
    venue,
    chainId,
    confirmations,
    contracts: [conditionalTokens, negRiskAdapter],
    readCall,
    exchangeIn: (data) => readPositionCall(venue, data),
    throughAdapter: true,
  })
