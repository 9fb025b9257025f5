// What the owner enters: positions acquired elsewhere, and transfers of cash. Each is entered once and never changed; an entry of the
// opposite sign undoes it.
import { z } from 'zod'
import { hashOf } from '#core/canonicalJson'
import { cursorBinding } from '#core/cursor'
import { compareDecimals, readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'
import { labMark, NextCursor } from '#schemas/envelope'
import { PortfolioImport, PositionImport, TransferImport } from '#schemas/portfolio'
import { venueCurrencies, withoutVenue } from '#schemas/venues'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { TradedVenue } from '#server/http/venueName'
import type { ImportRow, NewImport } from '#storage/postgres/portfolio/imports'
import type { PortfolioDeps, PortfolioRouteDeps } from '../ports.ts'
import { access, accountOf, tag } from './shapes.ts'

const limitDefault = 100
const limitMax = 500

const ImportBody = z
  .discriminatedUnion('kind', [
    PositionImport.extend({ venue: TradedVenue }),
    TransferImport.extend({ venue: TradedVenue }),
  ])
  .meta({
    examples: [
      {
        kind: 'position',
        venue: 'kalshi',
        ref: 'bought on the website, 2026-09-02',
        at: '2026-09-02T10:00:00Z',
        marketId: 'KXBTC-26',
        outcomeId: 'KXBTC-26',
        size: '10',
        cost: '4.10',
      },
      { kind: 'transfer', venue: 'kalshi', ref: 'wire 17', at: '2026-09-01T09:00:00Z', currency: 'USD', cash: '250' },
    ],
  })
type ImportBody = z.infer<typeof ImportBody>

const fields = { asOf: z.iso.datetime(), provenance: z.object({ source: z.literal('import'), ...labMark }) }

/** Before every venue here. */
const earliest = Date.UTC(2010, 0, 1)

export const createPortfolioImport = defineRoute({
  operationId: 'createPortfolioImport',
  method: 'post',
  path: '/v1/portfolio/imports',
  liveOnly: true,
  access,
  keyed: true,
  summary: 'Enters a position that was acquired elsewhere, or a transfer of cash; once per venue and ref',
  tag,
  body: ImportBody,
  data: PortfolioImport,
  topLevelFields: fields,
  errors: [
    'NOT_SUPPORTED',
    'EXCHANGE_NOT_AVAILABLE',
    'MARKET_NOT_FOUND',
    'OUTCOME_NOT_FOUND',
    'CATALOG_UNAVAILABLE',
    'IDEMPOTENCY_CONFLICT',
    'EXEC_UNAVAILABLE',
  ],
  async handle(input, { portfolio }: PortfolioRouteDeps) {
    const now = portfolio.clock.now()
    if (Date.parse(input.body.at) > now) throw new Fault('VALIDATION_ERROR', 'at: must not be in the future')
    if (Date.parse(input.body.at) < earliest) throw new Fault('VALIDATION_ERROR', 'at: must not be before 2010-01-01')
    const result = await portfolio.imports.insertImport({
      ...(await entryOf(portfolio, input.body)),
      accountId: accountOf(input),
      keyId: input.principal!.keyId,
      idempotencyKey: input.idempotencyKey!,
      bodySha256: hashOf(input.body),
      created_at: new Date(now),
    })
    if (result.kind === 'key_taken') {
      throw new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key was used for another request')
    }
    if (result.kind === 'duplicate') {
      throw new Fault('IDEMPOTENCY_CONFLICT', `ref: was entered already at this venue, as import ${result.row.id}`)
    }
    return {
      data: importRow(result.row),
      siblings: { asOf: new Date(now).toISOString(), provenance: { source: 'import' } },
      ...(result.kind === 'replayed' && { headers: { 'idempotency-replay': 'true' } }),
    }
  },
})

export const listPortfolioImports = defineRoute({
  operationId: 'listPortfolioImports',
  method: 'get',
  path: '/v1/portfolio/imports',
  access,
  summary: 'What the account’s owner entered, oldest first',
  tag,
  query: z.object({ cursor: z.string().optional(), limit: clampedLimit(limitDefault, limitMax) }),
  data: z.array(PortfolioImport),
  topLevelFields: { ...fields, nextCursor: NextCursor },
  errors: ['EXEC_UNAVAILABLE'],
  async handle(input, { portfolio }: PortfolioRouteDeps) {
    const { cursor, limit } = input.query
    const accountId = accountOf(input)
    const bind = cursorBinding({ accountId })
    const after = cursor === undefined ? null : String(portfolio.cursors.decode('portfolioImports', bind, cursor))
    const rows = await portfolio.imports.listImports({ accountId, after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? portfolio.cursors.encode('portfolioImports', bind, page.at(-1)!.id) : null
    return {
      data: page.map(importRow),
      siblings: {
        asOf: new Date(portfolio.clock.now()).toISOString(),
        provenance: { source: 'import' },
        ...(next !== null && { nextCursor: next }),
      },
    }
  },
})

type Entered = Omit<NewImport, 'accountId' | 'keyId' | 'idempotencyKey' | 'bodySha256' | 'created_at'>

async function entryOf({ catalog }: Pick<PortfolioDeps, 'catalog'>, body: ImportBody): Promise<Entered> {
  const { kind, venue, ref } = body
  const base = { kind, venue, ref, at: new Date(body.at) }
  if (body.kind === 'transfer') {
    const cash = nonZero('cash', body.cash)
    checkCurrency(venue, body.currency, null)
    return { ...base, currency: body.currency, market_id: null, outcome_id: null, size: null, cost: null, cash }
  }
  const size = nonZero('size', body.size)
  const cost = body.cost === null ? null : readDecimal(body.cost)!
  if (cost !== null && compareDecimals(cost, '0') * compareDecimals(size, '0') < 0) {
    throw new Fault('VALIDATION_ERROR', 'cost: must have the sign of size')
  }
  const marketId = withoutVenue(venue, body.marketId)
  const market = await catalog.findMarket(venue, marketId)
  if (market === null) throw new Fault('MARKET_NOT_FOUND', 'no such market', { exchange: venue })
  if (!market.outcomes.some(({ outcomeId }) => outcomeId === body.outcomeId)) {
    throw new Fault('OUTCOME_NOT_FOUND', 'this market has no such outcome', { exchange: venue })
  }
  const { collateral } = market.sourceMetadata
  const own = typeof collateral === 'string' && collateral !== '' ? collateral : null
  const currency = body.currency ?? own
  checkCurrency(venue, currency, own)
  return { ...base, currency, market_id: marketId, outcome_id: body.outcomeId, size, cost, cash: null }
}

const currencies: Readonly<Record<string, readonly string[] | null>> = venueCurrencies

/** Throws VALIDATION_ERROR for a symbol that nothing is paid in there. `own`: of the market. */
function checkCurrency(venue: string, currency: string | null, own: string | null): void {
  const known = currencies[venue] ?? null
  if (known === null || currency === null || currency === own || known.includes(currency)) return
  const valid = [...new Set([...known, ...(own === null ? [] : [own])])]
  throw new Fault('VALIDATION_ERROR', `currency: must be one of ${valid.join(', ')}`)
}

function nonZero(name: string, text: string): string {
  const value = readDecimal(text)!
  if (value === '0') throw new Fault('VALIDATION_ERROR', `${name}: must not be 0`)
  return value
}

const decimalOf = (text: string | null): string | null => (text === null ? null : readDecimal(text))

const importRow = (row: ImportRow): PortfolioImport => ({
  importId: row.id,
  kind: row.kind,
  venue: row.venue,
  ref: row.ref,
  currency: row.currency,
  marketId: row.market_id,
  outcomeId: row.outcome_id,
  size: decimalOf(row.size),
  cost: decimalOf(row.cost),
  cash: decimalOf(row.cash),
  at: row.at.toISOString(),
  createdAt: row.created_at.toISOString(),
})
