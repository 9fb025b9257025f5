// Trades: the site's feed of activity in an event. It is undocumented; a public client reads it
// (github.com/HarrisonJL/pl-conviction-board 09ad906). It has display names, and no wallets.
import type { Market } from '#schemas/market'
import type { TraderTrade } from '#schemas/traders'
import { readPageAfter } from '../../shared/data/pageAfterTimestamp.ts'
import { numberOf, timeOf } from '../../shared/data/parsers.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import { readTape, shapeReader } from '../../shared/data/rows.ts'
import { evmWallet, named } from '../../shared/data/wallets.ts'
import type { TradersPage, TradersPageOf, VenueTraders } from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { XoActivity, XoActivityRow, XoEvent } from '../wire.ts'

const pageRows = 50
const pagesMax = 4
const none: TradersPageOf<TraderTrade> = { rows: [], next: null }

async function fetchTrades(
  context: VenueContext,
  market: Market,
  page: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  const eventId = await eventOf(context, market)
  if (eventId === null) return none
  const readPage = async (number: number) => {
    const answer = await readKnown(context, {
      base: 'DATA',
      path: `/api/v1/events/${encodeURIComponent(eventId)}/activity`,
      query: { page: number, take: pageRows, sortBy: 'executedAt', sortOrder: 'DESC' },
      body: XoActivity,
    })
    const rows = readTape(context, answer.data, { what: 'activity', name: 'id', read: shapeReader(XoActivityRow) })
    const trades = rows.flatMap((row) => traderTradeOf(row, market) ?? [])
    return { rows: trades, isLast: rows.length === 0 || answer.meta?.hasNextPage !== true }
  }
  return await readPageAfter({ first: 1, pagesMax, read: readPage }, page)
}

/**
 * Its activity is reported by event: the event of the market's slug is accepted only if this market is the only one in it. Otherwise the trades
 * cannot be attributed.
 */
async function eventOf(context: VenueContext, { marketId, slug }: Market): Promise<string | null> {
  if (slug === undefined) return null
  const path = `/api/v1/events/slug/${encodeURIComponent(slug)}`
  const event = await read(context, { base: 'DATA', path, body: XoEvent })
  const markets = event?.data.markets ?? []
  return markets.length === 1 && markets[0]!.market.id === marketId ? event!.data.id : null
}

function traderTradeOf(row: XoActivityRow, { marketId, outcomes }: Market): TraderTrade | null {
  const ts = timeOf(row.executedAt ?? row.createdAt)
  if (row.activityType !== 'USER_TRADE' || ts === null) return null
  const millionths = numberOf(row.priceAtExecution)
  const price = millionths !== null && millionths >= 0 && millionths <= 1e6 ? millionths / 1e6 : null
  const title = row.outcome?.title
  const bearers = outcomes.filter(({ label }) => title !== null && title !== undefined && label === title)
  return {
    venue: 'xo',
    marketId,
    outcomeId: bearers.length === 1 ? bearers[0]!.outcomeId : null,
    tradeId: row.id,
    ts,
    wallet: null,
    ...named(row.user?.username),
    side: row.positionType === 'BUY' ? 'buy' : row.positionType === 'SELL' ? 'sell' : null,
    price,
    // Shares are not reported, and a fee may be in the volume.
    amount: null,
    usdSize: numberOf(row.volumeInUSD),
  }
}

export const traders: VenueTraders = {
  walletOf: evmWallet,
  notes: [
    'XO: trades are the venue’s own feed of an event, which shows names and dollars, but no wallets and no shares.',
  ],
  hasAnonymousTrades: true,
  fetchTrades,
}
