// What a build must know: from the catalog the token, its condition and its protocol; and read live the order version, the tick, the fee curve,
// and which exchange the token belongs to. An order signed for the wrong exchange is money at risk.
import { z } from 'zod'
import { compareDecimals, readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete } from '../../shared/exec/catalogFacts.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { feeModel } from '../fees.ts'
import { isPositionId, type Protocol } from '../ids.ts'
import type { OrderBody } from './body.ts'
import type { Hex } from './typedData.ts'
import { ClobMarket, ClobNegRisk, ClobTickSize, ClobVersion, paths } from './wire.ts'

/** What the venue may name as its newest order version. Which one an order is signed for depends on its market. */
const orderVersions: readonly number[] = [2, 3]

/** The ticks the venue's client knows. On each of them price × two-decimal size fits into six decimals, so cash is never rounded. */
const knownTicks: readonly string[] = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001']

interface FeeDetails {
  rate: string
  exponent: number
}

export interface CatalogFacts {
  marketId: string
  /** Also the catalog's outcome id. */
  tokenId: string
  side: 'YES' | 'NO'
  conditionId: Hex
  negRisk: boolean
  protocol: Protocol
}

export interface Facts {
  catalog: CatalogFacts
  tick: string
  /** Null: the venue charges nothing here. `unknown`: the catalog has no schedule, which happens in builds of paper accounts alone. */
  fee: FeeDetails | 'unknown' | null
  /** Shares. */
  sizeMin: string | null
}

export async function gatherFacts(context: LaneContext, body: OrderBody): Promise<Facts> {
  const resolved = await resolveSelector(context.catalog, body)
  checkTakesOrders('outcome', resolved.market)
  const catalog = readCatalogFacts(resolved)
  if (context.paper !== undefined) return { catalog, ...paperFacts(resolved) }
  const token = { token_id: catalog.tokenId }
  const [version, tick, negRisk, market] = await Promise.all([
    get(context, paths.version, ClobVersion),
    get(context, paths.tickSize, ClobTickSize, token),
    get(context, paths.negRisk, ClobNegRisk, token),
    get(context, paths.clobMarket + catalog.conditionId, ClobMarket),
  ])
  if (!orderVersions.includes(version.version)) {
    throw closed('EXEC_UNAVAILABLE', `polymarket takes orders of version ${version.version}, not 2 or 3`)
  }
  if (market.v != null && market.v !== catalog.protocol) {
    throw closed(
      'CATALOG_UNAVAILABLE',
      'polymarket and the catalog disagree for which exchange this market’s orders are',
    )
  }
  if (negRisk.neg_risk !== catalog.negRisk || (market.nr ?? false) !== catalog.negRisk) {
    throw closed('CATALOG_UNAVAILABLE', 'polymarket and the catalog disagree whether this market is negative-risk')
  }
  if (!market.t.some((row) => row?.t === catalog.tokenId)) {
    throw closed('CATALOG_UNAVAILABLE', 'polymarket and the catalog disagree to which market this outcome belongs')
  }
  return {
    catalog,
    tick: readTick(tick.minimum_tick_size),
    fee: market.fd == null ? null : { rate: plain(market.fd.r), exponent: market.fd.e },
    sizeMin: market.mos == null ? null : plain(market.mos),
  }
}

/** For an order of a paper account: what the catalog has. A market without a tick there gets the most common one. */
function paperFacts({ market }: ResolvedOutcome): Omit<Facts, 'catalog'> {
  const { tickSize, sourceMetadata } = market
  const { minOrderSize } = sourceMetadata
  const { fee } = feeModel(market)
  return {
    tick: readTick(String(tickSize ?? '0.01')),
    fee:
      fee.kind === 'polymarket_curve'
        ? { rate: plain(fee.rate), exponent: fee.exponent }
        : fee.kind === 'none'
          ? null
          : 'unknown',
    sizeMin: typeof minOrderSize === 'number' ? plain(minOrderSize) : null,
  }
}

const Metadata = z.object({
  conditionId: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  negRisk: z.boolean(),
  /** Absent in rows stored by earlier versions. */
  protocol: z.enum(['v1', 'v2']).optional(),
})

export function readCatalogFacts({
  market: { marketId, sourceMetadata },
  outcome,
  side,
}: ResolvedOutcome): CatalogFacts {
  const purpose = 'build for it'
  const metadata = Metadata.safeParse(sourceMetadata)
  if (!metadata.success) throw incomplete('polymarket', marketId, z.prettifyError(metadata.error), purpose)
  const { outcomeId: tokenId } = outcome
  if (!/^\d{1,78}$/.test(tokenId)) throw incomplete('polymarket', marketId, 'the outcome id is not a token id', purpose)
  const { conditionId, negRisk } = metadata.data
  // An order signed for the wrong exchange is money at risk: the form of the id must say the same as the row.
  const protocol = isPositionId(tokenId) ? 'v2' : 'v1'
  if ((metadata.data.protocol ?? protocol) !== protocol) {
    throw incomplete('polymarket', marketId, `the outcome id is not one of protocol ${metadata.data.protocol}`, purpose)
  }
  return { marketId, tokenId, side, conditionId: conditionId as Hex, negRisk, protocol }
}

async function get<T>(
  { http, urls, signal }: LaneContext,
  path: string,
  schema: z.ZodType<T>,
  query?: Record<string, string>,
): Promise<T> {
  const { status, body } = await http.request({ url: `${urls.CLOB}${path}`, ...(query && { query }), signal })
  if (status === 404) throw new Fault('VALIDATION_ERROR', 'outcome: polymarket has no order book for it')
  const parsed = schema.safeParse(body)
  if (status === 200 && parsed.success) return parsed.data
  throw new Fault('NETWORK_ERROR', 'polymarket sent an answer we cannot read', {
    exchange: 'polymarket',
    detail: `${path}: status ${status} ${parsed.success ? '' : z.prettifyError(parsed.error)}`,
  })
}

function readTick(given: string): string {
  const tick = knownTicks.find((known) => compareDecimals(known, plain(given)) === 0)
  if (tick !== undefined) return tick
  throw closed('EXEC_UNAVAILABLE', `polymarket names a tick of ${given}, which this lane cannot round for`)
}

function plain(value: number | string): string {
  const text = readDecimal(typeof value === 'string' && value.startsWith('.') ? `0${value}` : value)
  if (text !== null) return text
  throw new Fault('NETWORK_ERROR', 'polymarket sent a number we cannot read', {
    exchange: 'polymarket',
    detail: String(value),
  })
}

const closed = (code: 'EXEC_UNAVAILABLE' | 'CATALOG_UNAVAILABLE', message: string): Fault =>
  new Fault(code, message, { exchange: 'polymarket' })
