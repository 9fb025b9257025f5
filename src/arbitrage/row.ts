// One row in its public form: the specification's fields in their order. The slow, plain version; encodeRow writes the same bytes.
import { ONE, toProbability } from '#core/price'
import type { ArbitrageLeg, ArbitrageRow } from '#schemas/arbitrage'
import { matchBands } from './cluster.ts'
import type { CompiledSurface, SideFacts } from './compileSurface.ts'
import { feeBasis } from './fees.ts'
import {
  arbitrageLabel,
  executabilityReasons,
  indicativeLabel,
  legExecutable,
  rowExecutable,
  rowReasons,
} from './flags.ts'
import type { SurfaceTable } from './table.ts'

/** A note on how a leg derives its price, if relevant. */
export function legNote({ member, side, source }: SideFacts): string | undefined {
  const notes: string[] = []
  if (member.polarity === 'inverse') notes.push(`inverse question: the venue's ${side.toUpperCase()} is bought`)
  if (source?.complement === true) notes.push("offers are the complement of the other outcome's bids")
  return notes.length === 0 ? undefined : notes.join('; ')
}

const usd = (micros: number): number => micros / 1e6
const isoOrNull = (epochMs: number): string | null => (epochMs < 0 ? null : new Date(epochMs).toISOString())
const orNull = (micros: number): number | null => (micros < 0 ? null : usd(micros))

export function legOf({ sideFacts, plan }: CompiledSurface, table: SurfaceTable, side: number): ArbitrageLeg {
  const facts = sideFacts[side]!
  const { member } = facts
  const flags = table.flags[side]!
  const note = legNote(facts)
  const vwap = table.vwap(side)
  return {
    venue: member.venue,
    canonicalMarketId: member.canonicalMarketId,
    side: facts.side,
    executable: legExecutable(flags),
    reasons: executabilityReasons(flags),
    vwap: vwap < 0 ? null : toProbability(vwap),
    cost: orNull(table.cost[side]!),
    fee: orNull(table.fee[side]!),
    filled: table.filled[side]!,
    fullyFilled: table.filled[side]! === plan.contracts,
    ...(note === undefined ? {} : { note }),
    feeBasis: feeBasis(member.fee),
    asOf: isoOrNull(table.asOf[side]!),
  }
}

/** The row as the table has it now. */
export function rowOf(surface: CompiledSurface, table: SurfaceTable, row: number): ArbitrageRow {
  const { plan, rowFacts } = surface
  const { cluster, pair, similarity, verified, pricesDiffer, key } = rowFacts[row]!
  const yes = plan.rowYes[row]!
  const no = plan.rowNo[row]!
  const money = rowMoney(surface, table, row)
  const executable = rowExecutable(table.flags[yes]!, table.flags[no]!, verified)
  const asOf = Math.min(table.asOf[yes]!, table.asOf[no]!)
  return {
    clusterId: key,
    question: cluster.question,
    similarity,
    contracts: plan.contracts,
    legs: { buyYes: legOf(surface, table, yes), buyNo: legOf(surface, table, no) },
    resolution: {
      compatible: pair.resolution.compatible,
      reason: pair.resolution.reason,
      auditReasons: [...pair.resolution.auditReasons],
    },
    settlementFee: money.settlement === null ? null : usd(money.settlement),
    totalCost: money.total === null ? null : usd(money.total),
    payout: plan.contracts,
    netEdge: money.net === null ? null : usd(money.net),
    roi: money.roi === null ? null : usd(money.roi),
    resolutionEquivalence: pair.resolutionEquivalence,
    matchScore: pair.matchScore,
    matchBand: pair.matchBand,
    matchDifferences: pair.matchDifferences.map(({ kind, detail, points }) => ({ kind, detail, points })),
    executable,
    reasons: rowReasons(table.flags[yes]!, table.flags[no]!, verified, pricesDiffer),
    label: executable && money.net !== null && money.net > 0 ? arbitrageLabel : indicativeLabel,
    asOf: isoOrNull(asOf),
  }
}

/** Micro-dollars, and the return in millionths; null where a part is missing. */
export interface RowMoney {
  settlement: number | null
  total: number | null
  net: number | null
  roi: number | null
}

export function rowMoney({ plan }: CompiledSurface, table: SurfaceTable, row: number): RowMoney {
  const yes = table.settlement[plan.rowYes[row]!]!
  const no = table.settlement[plan.rowNo[row]!]!
  const settlement = yes < 0 || no < 0 ? null : Math.max(yes, no)
  const net = table.net[row]!
  if (Number.isNaN(net)) return { settlement, total: null, net: null, roi: null }
  const total = Math.round(plan.contracts * ONE) - net
  return { settlement, total, net, roi: total === 0 ? null : ratioMillionths(net, total) }
}

/** a / b in millionths, halves away from zero; exact for integers below 2^53. */
export function ratioMillionths(a: number, b: number): number {
  const quotient = (a / b) * 1e6
  const size = Math.abs(quotient)
  const fraction = size - Math.floor(size)
  // So close to a half that the double may have crossed it.
  if (Math.abs(fraction - 0.5) < 1e-6 + size * 1e-12) return exactRatio(a, b)
  const rounded = Math.round(size)
  return quotient < 0 && rounded !== 0 ? -rounded : rounded
}

function exactRatio(a: number, b: number): number {
  const negative = a < 0 !== b < 0
  const top = BigInt(Math.abs(a)) * 2_000_000n
  const bottom = BigInt(Math.abs(b))
  const rounded = Number((top + bottom) / (2n * bottom))
  return negative && rounded !== 0 ? -rounded : rounded
}

/** For rows received from other processes: a frame with another band or score must not be shown. */
export const validPublished = ({ matchScore, matchBand }: Pick<ArbitrageRow, 'matchScore' | 'matchBand'>): boolean =>
  matchBands.includes(matchBand) &&
  (matchScore === null || (Number.isInteger(matchScore) && matchScore >= 0 && matchScore <= 100))
