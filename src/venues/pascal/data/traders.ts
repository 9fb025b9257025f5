// Trades: the venue's tape, which identifies no traders and does not state the taker's side.
import type { Market } from '#schemas/market'
import type { TraderTrade } from '#schemas/traders'
import { readPageAfter } from '../../shared/data/pageAfterTimestamp.ts'
import { readTape } from '../../shared/data/rows.ts'
import type { TradersPage, TradersPageOf, VenueTraders } from '../../traderData.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isSymbol } from '../ids.ts'
import { PascalTrade } from '../wire.ts'
import { getTrades, tradesMax } from './endpoints.ts'
import { normalizeTrade, tradeIds } from './tape.ts'

async function fetchTrades(
  context: VenueContext,
  { marketId }: Market,
  page: TradersPage,
): Promise<TradersPageOf<TraderTrade>> {
  if (!isSymbol(marketId)) return { rows: [], next: null }
  const read = async () => {
    const { data } = await getTrades(context, marketId, tradesMax)
    const idOf = tradeIds()
    const parseTrade = (row: unknown): TraderTrade | null => {
      const { data: trade } = PascalTrade.safeParse(row)
      if (trade === undefined || trade.symbol !== marketId) return null
      // Ids are counted from the newest, as on the tape.
      const normal = normalizeTrade(trade, idOf(trade.seq), marketId, false)
      return normal && traderTrade(normal, marketId)
    }
    return { rows: readTape(context, data.items, { what: 'trade', name: 'seq', read: parseTrade }), isLast: true }
  }
  return await readPageAfter({ first: 0, pagesMax: 1, read }, page)
}

/** The amount paid depends on whose side the row shows. */
const traderTrade = (
  { id, timestamp, price, amount, outcomeId }: NonNullable<ReturnType<typeof normalizeTrade>>,
  marketId: string,
): TraderTrade => ({
  venue: 'pascal',
  marketId,
  outcomeId,
  tradeId: id,
  ts: timestamp,
  wallet: null,
  side: null,
  price,
  amount,
  usdSize: null,
})

/** A base58 public key, which has no 0, O, I and l; case-sensitive. */
const base58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

export const traders: VenueTraders = {
  walletOf: (text) => (base58.test(text) ? text : null),
  notes: [
    'Pascal: its trades name no wallets and do not show which side is the taker’s, so wallet, side and usdSize are null; it reaches back 500 trades of a market.',
  ],
  hasAnonymousTrades: true,
  fetchTrades,
}
