// The account's positions and balances, read with the caller's key: one signed position per market, below zero for the short side (as the
// venue's single book suggests; no source states it). What its `cost` includes is undocumented, so no cost is compared.
// https://docs.polymarket.us/api-reference/portfolio
import { subtractDecimals } from '#core/decimal'
import { defineHoldings, type HeldOrder, type HeldPosition } from '../../holdings.ts'
import type { LaneContext } from '../../lane.ts'
import { readKeyed } from '../../shared/exec/apiKeyClient.ts'
import { decimalIn } from '../../shared/exec/normalizedFill.ts'
import { readableRows, readPagedList } from '../../shared/exec/pagedList.ts'
import { sideHeld } from '../../shared/exec/signedPosition.ts'
import { idsOf } from '../ids.ts'
import { Credentials, usApi } from './auth.ts'
import { OpenOrdersAnswer, UsBalance, UsBalances, UsOrder, UsPosition, UsPositions } from './wire.ts'

const pageRows = 100
const pagesMax = 20

interface SluggedRow {
  slug: string
  netPosition: string
}

export const holdings = defineHoldings<null, Credentials>({
  source: 'venue_api',
  credentials: Credentials,
  sides: (slug) => idsOf(slug),
  costStep: '0.0001',
  async read(context, _account, credentials) {
    const asOf = context.clock.now()
    const [{ rows, isWhole }, { balances }, open] = await Promise.all([
      readPagedList({
        read: (cursor) => readPage(context, credentials, cursor),
        idOf: ({ slug }) => slug,
        pagesMax,
      }),
      readKeyed(usApi, { context, credentials, path: '/v1/account/balances', shape: UsBalances }),
      readKeyed(usApi, { context, credentials, path: '/v1/orders/open', shape: OpenOrdersAnswer }),
    ])
    const resting = readableRows(UsOrder, open.orders)
    return {
      positions: rows.flatMap((row) => positionOf(row) ?? []),
      isComplete: isWhole,
      balances: balances.flatMap((row) => {
        const { data } = UsBalance.safeParse(row)
        return data === undefined
          ? []
          : { currency: data.currency, total: data.currentBalance, available: data.buyingPower }
      }),
      openOrders: { orders: resting.rows.map(orderOf), isComplete: !resting.unreadable },
      asOf,
    }
  },
})

async function readPage(context: LaneContext, credentials: Credentials, cursor: string | null) {
  const query = { limit: pageRows, ...(cursor !== null && { cursor }) }
  const page = await readKeyed(usApi, {
    context,
    credentials,
    path: '/v1/portfolio/positions',
    shape: UsPositions,
    query,
  })
  const listed = Object.entries(page.positions)
  const rows = listed.flatMap(([slug, row]): SluggedRow[] => {
    const { data } = UsPosition.safeParse(row)
    return data === undefined ? [] : [{ slug, ...data }]
  })
  return { rows, unreadable: listed.length - rows.length, cursor: page.eof === true ? null : page.nextCursor }
}

/** The price is that of the long side. */
function orderOf({ id, marketSlug, intent, price, leavesQuantity }: UsOrder): HeldOrder {
  const [, action, side] = /^ORDER_INTENT_(BUY|SELL)_(LONG|SHORT)$/.exec(intent ?? '') ?? []
  const [long, short] = marketSlug == null ? [null, null] : idsOf(marketSlug)
  const longPrice = decimalIn(price?.value)
  return {
    venueRef: id,
    marketId: marketSlug ?? null,
    outcomeId: side === 'LONG' ? long : side === 'SHORT' ? short : null,
    isBuy: action === undefined ? null : action === 'BUY',
    price: longPrice !== null && side === 'SHORT' ? subtractDecimals('1', longPrice) : longPrice,
    remaining: leavesQuantity ?? null,
  }
}

/** Null: nothing is held. */
function positionOf({ slug, netPosition }: SluggedRow): HeldPosition | null {
  const held = sideHeld(netPosition, idsOf(slug))
  if (held === null) return null
  const { outcomeId, quantity } = held
  return { marketId: slug, outcomeId, quantity, averageCost: null }
}
