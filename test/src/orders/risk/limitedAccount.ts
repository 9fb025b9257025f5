// An account under risk limits with books, positions that its owner entered, and orders that the venue has filled.
import { createHash, randomUUID } from 'node:crypto'
import { ManualClock } from '#core/clock'
import type { PositionBook, PositionBooks } from '#portfolio/ports'
import type { ExecutionVenue } from '#schemas/venues'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import type { executionSuite } from '#test/support/execution/suite'
import { tradingLane } from '#test/support/execution/tradingLane'
import type { ExecutionAdapter } from '#venues/lane'
import { decimalIn, normalizedFill } from '#venues/shared/exec/normalizedFill'

export const beyond = [402, 'SPEND_CAP_EXCEEDED']
const readingLane = (slug: ExecutionVenue): ExecutionAdapter => ({
  ...tradingLane(slug),
  readFill: ({ size, cash }) => normalizedFill({ size: decimalIn(size), cash: decimalIn(cash), fee: '0' }),
})
export const lanes = [readingLane('novig'), readingLane('kalshi')]
export const noon = Date.parse('2026-11-30T12:00:00Z')
const dayBefore = noon - 86_400_000

/** The books of each outcome, by venue and outcome. */
class Books implements PositionBooks {
  readonly tops = new Map<string, [bid: number, ask: number] | 'silent'>()
  reads = 0
  async read(instruments: Parameters<PositionBooks['read']>[0]) {
    this.reads++
    return instruments.map(({ venue, outcomeId }) => {
      const top = this.tops.get(`${venue} ${outcomeId}`)
      return top === undefined ? ('none' as const) : top === 'silent' ? top : bookOf(top)
    })
  }
}
const bookOf = ([bid, ask]: [number, number]): PositionBook => ({
  bids: [
    { price: bid, size: 1_000_000 },
    { price: 0.01, size: 5 },
  ],
  asks: [{ price: ask, size: 1_000_000 }],
  lastPrice: null,
})

export async function limitedAccount({ pg, worldOf }: ReturnType<typeof executionSuite>) {
  const clock = new ManualClock(noon)
  const books = new Books()
  const world = await worldOf({ lanes, clock, risk: { books } })
  /** A position that was acquired elsewhere. */
  const hold = (
    size: number,
    cost: number | null,
    {
      venue = 'novig',
      outcome = 'yes',
      at = dayBefore,
      enteredAt = at,
    }: { venue?: string; outcome?: string; at?: number; enteredAt?: number } = {},
  ) =>
    pg.pool.query(
      `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, market_id, outcome_id, size, cost, at, created_at)
       VALUES ($1, $1, gen_random_uuid(), decode(repeat('00', 32), 'hex'), 'position', $2, gen_random_uuid(), 'USD', 'market', $3, $4, $5, $6, $7)`,
      [world.accountId, venue, outcome, size, cost, new Date(at), new Date(enteredAt)],
    )
  const deposit = (cash: number) =>
    pg.pool.query(
      `INSERT INTO portfolio_imports (account_id, key_id, idempotency_key, body_sha256, kind, venue, ref, currency, cash, at, created_at)
       VALUES ($1, $1, gen_random_uuid(), decode(repeat('00', 32), 'hex'), 'transfer', 'novig', gen_random_uuid(), 'USD', $2, $3, $3)`,
      [world.accountId, cash, new Date(noon)],
    )
  /** An order for 100 at 0.5 of which the venue has reported all as filled; `fill`: as it is stored, null: not at all. */
  const trade = async (
    fill: object | null,
    { isBuy = true, status = 'filled', at = noon - 600_000, venue = 'novig' } = {},
  ) => {
    const id = randomUUID()
    await pg.pool.query(
      `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, terms, summary,
         notional_usd, venue_ref, matched_size, created_at, updated_at)
       VALUES ($1, $2, $2, $3, 'order', $4, 1, '{}', $5, '{}', $6, '{"currency": "USD"}', 50, $7, 100, $8, $8)`,
      [
        ...[id, world.accountId, venue, status, createHash('sha256').update('{}').digest()],
        ...[{ marketId: 'market', outcomeId: 'yes', outcomeSide: 'YES', isBuy, price: '0.5', size: '100' }],
        ...[randomUUID(), new Date(at)],
      ],
    )
    if (fill !== null)
      await pg.pool.query(
        `INSERT INTO execution_fills (execution_id, account_id, venue, venue_key, fill, filled_at) VALUES ($1, $2, $3, 'a', $4, $5)`,
        [id, world.accountId, venue, fill, new Date(at)],
      )
  }
  return { world, orders: limitedOrders(world), books, hold, deposit, trade, clock }
}
/** The whole order of `trade`, at its limit price. */
export const filled = { size: '100', cash: '50' }
