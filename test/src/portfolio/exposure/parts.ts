// Short constructors for positions, markets and relations, and the exposure of an account that holds them.
import type { Relation } from '#arbitrage/structures/index'
import { createCursorCodec } from '#core/cursor'
import { Fault } from '#core/fault'
import { readExposure } from '#portfolio/exposure/exposure'
import type { ExposureDeps, MarketFacts } from '#portfolio/exposure/index'
import { groupRow } from '#portfolio/exposure/rows'
import type { MarkedPosition } from '#portfolio/index'
import type { ExposureGroup } from '#schemas/exposure'

export const asOf = Date.parse('2026-11-30T00:00:00Z')

/** `outcome`: `<venue>:<market>/<outcome>`; the id of the outcome is `<market>/<outcome>`. */
export function position(
  outcome: string,
  quantity: string,
  costBasis: string | null,
  more: Partial<MarkedPosition> = {},
): MarkedPosition {
  const [, venue = '', outcomeId = '', marketId = ''] = /^([^:]+):((.+)\/[^/]+)$/.exec(outcome) ?? []
  const unknown = { mid: null, bid: null, last: null }
  return {
    venue,
    marketId,
    outcomeId,
    currency: venue === 'kalshi' ? 'USD' : 'USDC',
    quantity,
    costBasis,
    averageCost: null,
    costBasisFifo: costBasis,
    realizedPnl: '0',
    realizedPnlFifo: '0',
    fees: '0',
    bought: quantity,
    sold: '0',
    settlement: null,
    openedAt: asOf,
    updatedAt: asOf,
    market: `Will ${marketId} happen?`,
    label: outcomeId.slice(marketId.length + 1),
    marketStatus: 'active',
    resolutionDate: '2026-12-10T00:00:00.000Z',
    marks: unknown,
    value: { ...unknown, settlement: null },
    unrealizedPnl: unknown,
    ...more,
  }
}

/** Resolved, and not collected yet. */
export const settled = (outcome: string, shares: string, value: string, payout: string): MarkedPosition =>
  position(outcome, shares, payout, {
    settlement: { value, unclaimed: shares, paid: '0' },
    marketStatus: 'resolved',
  })

/** A market with YES and NO, or with these outcomes. */
export function facts(key: string, more: Partial<MarketFacts> & { labels?: string[] } = {}): [string, MarketFacts] {
  const { labels, ...others } = more
  const id = (label: string): string => `${key.slice(key.indexOf(':') + 1)}/${label}`
  return [
    key,
    {
      eventId: null,
      outcomes: (labels ?? ['yes', 'no']).map(id),
      sides: labels === undefined ? { yes: id('yes'), no: id('no') } : null,
      paysWhole: true,
      settlesFree: true,
      ...others,
    },
  ]
}

export const pair = (
  kind: Exclude<Relation['kind'], 'outcomes'>,
  a: string,
  b: string,
  band: Relation['band'] = 'verified',
): Relation => ({ id: `pair:${a}~${b}`, band, kind, a, b })

/** Of which at most one is true, or exactly one. */
export const exclusive = (id: string, markets: readonly string[], complete = false): Relation => ({
  id,
  band: 'verified',
  kind: 'outcomes',
  members: markets.map((market) => ({ market, side: 'yes' })),
  complete,
})

export interface Account {
  positions: readonly MarkedPosition[]
  relations?: readonly Relation[]
  /** Default: a market with YES and NO for each position. */
  markets?: readonly [string, MarketFacts][]
  isCut?: boolean
  /** Sources that do not answer. */
  without?: readonly ('CATALOG_UNAVAILABLE' | 'MATCHES_UNAVAILABLE')[]
}

export function depsOf({ positions, relations = [], markets, isCut = false, without = [] }: Account): ExposureDeps {
  const known = new Map(markets ?? positions.map(({ venue, marketId }) => facts(`${venue}:${marketId}`)))
  const refuse = (code: NonNullable<Account['without']>[number]): void => {
    if (without.includes(code)) throw new Fault(code, 'not available')
  }
  return {
    portfolio: {
      read: async () => ({
        asOf,
        ledger: { positions, cash: [] },
        positions,
        unexplained: [],
        unreadable: [],
        unreadableExchanges: [],
        entries: [],
        settlementTimes: [],
        unavailable: [],
      }),
    },
    async findMarkets() {
      refuse('CATALOG_UNAVAILABLE')
      return known
    },
    async findRelations() {
      refuse('MATCHES_UNAVAILABLE')
      return { relations, isCut }
    },
    cursors: createCursorCodec(Buffer.alloc(32, 3)),
  }
}

/** Every group of the account, largest capital first. */
export async function groupsIn(account: Account): Promise<ExposureGroup[]> {
  const exposure = await readExposure(depsOf(account), 'account')
  const rows: ExposureGroup[] = []
  for (const part of exposure.groups) rows.push(await groupRow(exposure, part))
  return rows
}

export async function onlyGroup(account: Account): Promise<ExposureGroup> {
  const rows = await groupsIn(account)
  if (rows.length !== 1) throw new Error(`expected one group, found ${rows.length}`)
  return rows[0]!
}
