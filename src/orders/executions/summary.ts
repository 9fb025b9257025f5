// Summarizes an artifact for its signer: a token id of 77 digits and two amounts in base units say nothing to a reader, and a summary of the
// request would not show what is signed. Each lane's `describe` reads the artifact alone; what no artifact contains, such as a title, comes
// from the request the execution was built for. The description is compared with the order's terms before anything is stored. The summary
// is stored as shown at the build; submit reads the artifact again, and every statement must still hold.
// `costMax` is the money that can be lost, `bringsMin` the proceeds of a sale, both before fees. Lists of executions have no summaries.
import { compareDecimals, fromUnits, multiplyDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import { type Exchange, type Intent, type JsonObject, positionIntents, type Summary } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type {
  ArtifactSummary,
  Built,
  DescribedOrder,
  DescribedPositionCall,
  ExecutionAdapter,
  LaneCatalog,
  OrderTerms,
  ResolvedOutcome,
} from '#venues/lane'
import { describedOptions } from '#venues/shared/exec/orderOptions'
import { openArtifact } from './artifact.ts'

/** What no artifact contains. */
interface BuiltFor extends Pick<NonNullable<Summary['outcome']>, 'marketId' | 'outcomeId' | 'market' | 'label'> {
  currency: string | null
  /** Of a split, a merge and a conversion. */
  exchange?: Exchange | null
}

interface StoredExecution {
  intent: Intent
  unsigned: JsonObject
  terms: OrderTerms | null
  feeEstimate: JsonObject | null
}

/** Throws ARTIFACT_BOUNDS_VIOLATION when the artifact is for something other than the execution. */
export function summarize(
  lane: ExecutionAdapter,
  { intent, unsigned, terms, feeEstimate }: StoredExecution,
  { marketId, outcomeId, market, label, currency: named, exchange = null }: BuiltFor,
): Summary {
  const described = lane.describe(unsigned)
  if (described.intent !== intent) throw contradiction(lane, 'does something else')
  const summary: Summary = {
    venue: lane.slug,
    intent,
    side: null,
    outcome: null,
    price: null,
    size: null,
    currency: null,
    costMax: null,
    bringsMin: null,
    fee: { agreed: null, estimate: feeEstimate },
    timeInForce: null,
    expiresAt: null,
    orderId: null,
  }
  if (described.intent === 'cancel') return { ...summary, orderId: described.orderId }
  const outcome = { instrument: described.instrument, side: null, marketId, outcomeId, market, label }
  if (described.intent === 'redeem') return { ...summary, outcome, currency: named }
  if (isPositionCall(described)) {
    return { ...summary, outcome, currency: named, ...exchanged(lane, described, exchange) }
  }
  const order = terms === null ? described : scaled(lane, readAs(described, terms), terms)
  if (terms !== null) checkTerms(lane, order, terms)
  const { price, size, costMax, bringsMin, timeInForce } = order
  const currency = order.currency ?? named
  return {
    ...summary,
    ...{ price, size, currency, costMax, bringsMin, timeInForce },
    side: order.isBuy ? 'buy' : 'sell',
    outcome: { ...outcome, side: order.outcomeSide ?? terms?.outcomeSide ?? null },
    fee: { agreed: order.fee, estimate: feeEstimate },
    expiresAt: order.expiresAt === null ? null : new Date(order.expiresAt).toISOString(),
    ...describedOptions(order),
    orderId: order.orderId ?? null,
  }
}

const isPositionCall = (described: ArtifactSummary): described is DescribedPositionCall =>
  (positionIntents as readonly string[]).includes(described.intent)

/** The size is the artifact's; the outcomes and the cash follow from it and from what the execution was built for. */
function exchanged(
  lane: ExecutionAdapter,
  { size, inUnits }: DescribedPositionCall,
  exchange: Exchange | null,
): Pick<Summary, 'size' | 'costMax' | 'bringsMin'> & { exchange: Exchange } {
  const sizes =
    inUnits === true
      ? Array.from({ length: decimalsMax + 1 }, (_, decimals) => fromUnits(BigInt(size), decimals))
      : [size]
  if (exchange === null || !sizes.includes(exchange.size)) {
    throw contradiction(lane, 'is for another amount')
  }
  const { cash } = exchange
  const isPaid = compareDecimals(cash, '0') < 0
  return {
    size: exchange.size,
    costMax: isPaid ? subtractDecimals('0', cash) : '0',
    bringsMin: isPaid ? null : cash,
    exchange,
  }
}

/** With one book for both outcomes an artifact may express either; it is shown as requested. */
function readAs(described: DescribedOrder, { outcomeSide, isBuy }: OrderTerms): DescribedOrder {
  const isSame = described.outcomeSide === null ? described.isBuy === isBuy : described.outcomeSide === outcomeSide
  if (described.mirrored !== true || isSame || described.price === null) return described
  const price = subtractDecimals('1', described.price)
  const bringsMin = described.isBuy && described.size !== null ? multiplyDecimals(price, described.size) : null
  const { instrumentIs, ...mirror } = described
  // When the artifact names an outcome, it is the other one.
  const isOfBoth = instrumentIs === 'marketId' ? { instrumentIs } : {}
  return { ...mirror, ...isOfBoth, outcomeSide, isBuy: !described.isBuy, price, bringsMin }
}

const decimalsMax = 36

/** Decimals missing from an artifact are chosen so that its size equals the requested one. */
function scaled(lane: ExecutionAdapter, described: DescribedOrder, terms: OrderTerms): DescribedOrder {
  const { size, costMax, bringsMin } = described
  if (described.inUnits !== true || size === null) return described
  const inTokens = (units: string, decimals: number): string => fromUnits(BigInt(units), decimals)
  for (let decimals = 0; decimals <= decimalsMax; decimals++) {
    if (inTokens(size, decimals) !== terms.size) continue
    const money = (units: string | null) => units && inTokens(units, decimals)
    return { ...described, size: terms.size, costMax: money(costMax), bringsMin: money(bringsMin) }
  }
  throw contradiction(lane, 'is for another size')
}

function checkTerms(lane: ExecutionAdapter, described: DescribedOrder, terms: OrderTerms): void {
  const { isBuy, outcomeSide, instrumentIs, price, size } = described
  if (isBuy !== terms.isBuy) throw contradiction(lane, 'is for the other side')
  if (outcomeSide !== null && outcomeSide !== terms.outcomeSide) throw contradiction(lane, 'is for the other outcome')
  // Addresses have two spellings.
  if (instrumentIs !== undefined && described.instrument.toLowerCase() !== terms[instrumentIs].toLowerCase()) {
    throw contradiction(lane, 'is for another market')
  }
  const compared = price === null ? 0 : compareDecimals(price, terms.price)
  if (isBuy ? compared > 0 : compared < 0) throw contradiction(lane, 'has a worse price')
  if (size !== null && compareDecimals(size, terms.size) > 0) throw contradiction(lane, 'is for more')
}

const contradiction = ({ slug }: ExecutionAdapter, what: string): Fault =>
  new Fault('ARTIFACT_BOUNDS_VIOLATION', `the artifact ${what} than the execution was built for`, { exchange: slug })

/** A catalog that remembers what a build resolved. */
export function memoized(catalog: LaneCatalog): { catalog: LaneCatalog; resolved: ResolvedOutcome[] } {
  const resolved: ResolvedOutcome[] = []
  const remember = (found: ResolvedOutcome): ResolvedOutcome => {
    resolved.push(found)
    return found
  }
  return {
    resolved,
    catalog: {
      outcome: async (...args) => remember(await catalog.outcome(...args)),
      side: async (...args) => remember(await catalog.side(...args)),
      ...(catalog.current !== undefined && { current: catalog.current.bind(catalog) }),
      ...(catalog.event !== undefined && { event: catalog.event.bind(catalog) }),
    },
  }
}

/** For a new order, or a call to the contracts. A redemption and a set name a market, a conversion names none. */
export function summaryOfBuilt(
  lane: ExecutionAdapter,
  intent: Intent,
  built: Built,
  resolved: readonly ResolvedOutcome[],
): Summary {
  const { terms } = built
  const found =
    intent === 'convert'
      ? undefined
      : terms === null
        ? resolved.at(-1)
        : resolved.find(
            ({ market, outcome }) => market.marketId === terms.marketId && outcome.outcomeId === terms.outcomeId,
          )
  return summarize(
    lane,
    { ...built, intent },
    {
      marketId: terms?.marketId ?? found?.market.marketId ?? null,
      outcomeId: terms?.outcomeId ?? null,
      market: found?.market.title ?? null,
      label: terms === null ? null : (found?.outcome.label ?? null),
      currency: built.currency ?? collateralOf(found),
      exchange: built.exchange ?? null,
    },
  )
}

/** The symbol of what a market pays in, where the catalog has it. */
function collateralOf(found: ResolvedOutcome | undefined): string | null {
  const symbol = found?.market.sourceMetadata?.collateral
  return typeof symbol === 'string' && symbol !== '' ? symbol : null
}

/** For a new cancellation or modification of `order`. */
export const summaryOfDerived = (lane: ExecutionAdapter, intent: Intent, built: Built, order: ExecutionRow): Summary =>
  summarize(lane, { ...built, intent }, builtForIn(order))

/** As shown at the build. */
export const storedSummaryOf = ({ summary }: ExecutionRow): Summary | null => summary as unknown as Summary | null

/** As the artifact says now. Null when no lane of this version can read it. */
export function summaryOf(lanes: readonly ExecutionAdapter[], row: ExecutionRow): Summary | null {
  const lane = lanes.find(({ slug }) => slug === row.venue)
  if (lane === undefined) return null
  try {
    return summarize(lane, stored(row, openArtifact(row.unsigned, row.unsigned_sha256)), builtForIn(row))
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

/**
 * Throws ARTIFACT_INTEGRITY_MISMATCH when the stored summary of an artifact differs from its content. Builds from before summaries were stored have
 * nothing to compare.
 */
export function verifySummary(lane: ExecutionAdapter, row: ExecutionRow, unsigned: JsonObject): void {
  const now = summarize(lane, stored(row, unsigned), builtForIn(row))
  const storedSummary = storedSummaryOf(row)
  if (storedSummary === null || holds(storedSummary, now)) return
  throw new Fault('ARTIFACT_INTEGRITY_MISMATCH', 'the artifact does not match its summary; build a new one')
}

const stored = (row: ExecutionRow, unsigned: JsonObject): StoredExecution => ({
  intent: row.intent,
  unsigned,
  terms: row.terms as unknown as OrderTerms | null,
  feeEstimate: row.fee_estimate,
})

function builtForIn(row: ExecutionRow): BuiltFor {
  const outcome = storedSummaryOf(row)?.outcome ?? null
  const terms = row.terms as unknown as OrderTerms | null
  return {
    marketId: terms?.marketId ?? outcome?.marketId ?? null,
    outcomeId: terms?.outcomeId ?? outcome?.outcomeId ?? null,
    market: outcome?.market ?? null,
    label: outcome?.label ?? null,
    currency: storedSummaryOf(row)?.currency ?? null,
    exchange: storedSummaryOf(row)?.exchange ?? null,
  }
}

/** Everything shown then must still hold; a later version may say more. */
function holds(expected: unknown, now: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return expected === now
  if (typeof now !== 'object' || now === null) return false
  return Object.entries(expected).every(([name, value]) => holds(value, (now as Record<string, unknown>)[name]))
}
