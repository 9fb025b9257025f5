// Settlements of the record's markets. The catalog is queried until it has the result; the first result is final.
import { randomInt, randomUUID } from 'node:crypto'
import type { Market } from '#schemas/market'
import type { TapeStore } from '#storage/clickhouse/client'
import { insertSettlements, type SettlementRow } from '#storage/clickhouse/traderInsert'
import type { RecordCatalog } from './ports.ts'

const marketsPerQuestion = 500
/** Per round; the others come in the next. */
const marketsPerRound = 50_000

const findOpenSql = `
SELECT DISTINCT d.venue AS venue, d.market_id AS marketId
FROM trader_days AS d
WHERE (d.venue, d.outcome_id) NOT IN (SELECT venue, outcome_id FROM trader_settlements)
ORDER BY cityHash64(d.market_id, {round:UInt32})
LIMIT ${marketsPerRound}
FORMAT JSONEachRow`

export interface SettlementsOptions {
  store: Pick<TapeStore, 'rows' | 'insert'>
  catalog: Pick<RecordCatalog, 'findMarkets'>
}

/** One round over the unsettled markets. Resolves with how many outcomes were settled. */
export async function settle({ store, catalog }: SettlementsOptions, signal: AbortSignal): Promise<number> {
  const open = await store.rows<{ venue: string; marketId: string }>(findOpenSql, { round: randomInt(2 ** 31) })
  let settled = 0
  for (let from = 0; from < open.length && !signal.aborted; from += marketsPerQuestion) {
    const markets = await catalog.findMarkets(open.slice(from, from + marketsPerQuestion))
    const rows = markets.flatMap(({ venue, market }) => payoutsOf(venue, market) ?? [])
    await insertSettlements(store, rows, randomInt(2 ** 47), `settlements ${randomUUID()}`)
    settled += rows.length
  }
  return settled
}

const ONE = 1_000_000
/** Venues write a third in various ways. */
const splitTolerance = 0.001

/** Null: it is not settled, or its row does not state its payouts: a last price is not a payout. */
export function payoutsOf(venue: string, { status, marketId, outcomes }: Market): SettlementRow[] | null {
  if (status !== 'resolved' || outcomes.length === 0) return null
  const prices = outcomes.map(({ price }) => price)
  const isWon =
    prices.every((price) => price === 0 || price === 1) && prices.filter((price) => price === 1).length === 1
  const share = 1 / outcomes.length
  const isSplit =
    prices.length > 1 && prices.every((price) => price !== null && Math.abs(price - share) < splitTolerance)
  if (!isWon && !isSplit) return null
  return outcomes.map(({ outcomeId, price }) => ({
    venue,
    outcomeId,
    marketId,
    payoutMicros: Math.round((isSplit ? share : price!) * ONE),
  }))
}
