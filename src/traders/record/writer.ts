// Writes trades that prove their wallets: each once, with the wallet's score at that moment. May be repeated with the same trades under the same
// token after any failure. Progress marks are written after them.
//
//   trades ─► place in the catalog ─► not written yet ─► verdict ─► trader_trades ─► trader_feed
//
// The feed comes last and is what marks a trade as written: a trade that only reached the first table comes again, and readers take the first.
import { randomInt } from 'node:crypto'
import type { WalletPoll, WalletTrade } from '#schemas/topics'
import type { TapeStore } from '#storage/clickhouse/client'
import { isMicros, isTime } from '#storage/clickhouse/columnBuffers'
import {
  insertFeed,
  insertTraderTrades,
  insertWalletPolls,
  type TradeHaltCheck,
  type TraderTradeRow,
} from '#storage/clickhouse/traderInsert'
import { isMoment, isTraded } from '#venues/shared/data/sanityChecks'
import { tradeScore } from '../scores/index.ts'
import type { RecordCatalog, TradedMarket } from './ports.ts'
import type { Judgement, ScoreCache } from './scoreCache.ts'
import { withdrawnAt } from './statements/days.ts'
import { walletName } from './walletName.ts'

/** Trades per statement: their ids travel in a URL, of which a server accepts a million bytes. */
const tradesPerStatement = 4_000

export interface TraderWriterOptions {
  store: Pick<TapeStore, 'rows' | 'insert'>
  catalog: RecordCatalog
  judgements: ScoreCache
}

interface PlacedTrade {
  trade: WalletTrade
  place: TradedMarket
}

export class TraderWriter {
  private readonly options: TraderWriterOptions

  constructor(options: TraderWriterOptions) {
    this.options = options
  }

  /** Resolves with how many trades were new. */
  async write(records: readonly (WalletTrade | WalletPoll)[], token: string): Promise<number> {
    const trades = records.filter((each): each is WalletTrade => !isLook(each))
    let written = 0
    for (let from = 0; from < trades.length; from += tradesPerStatement)
      written += await this.writeSome(trades.slice(from, from + tradesPerStatement), `${token}/${from}`)
    await insertWalletPolls(this.options.store, newestOf(records.filter(isLook)), token)
    return written
  }

  private async writeSome(trades: readonly WalletTrade[], token: string): Promise<number> {
    const { store } = this.options
    const placed = await this.place(onceEach(trades.filter(isPossible)))
    const fresh = await this.notWritten(placed)
    const rows = fresh.flatMap(rowsOf)
    const verdicts = await this.verdicts(fresh)
    await insertTraderTrades(store, rows, randomInt(2 ** 47), token)
    await insertFeed(store, verdicts, token)
    return fresh.length
  }

  private async place(trades: readonly WalletTrade[]): Promise<PlacedTrade[]> {
    const outcomes = new Map(trades.map(({ venue, outcomeId }) => [`${venue} ${outcomeId}`, { venue, outcomeId }]))
    const { catalog } = this.options
    const answers = [...outcomes].map(
      async ([key, { venue, outcomeId }]) => [key, await catalog.findPlace(venue, outcomeId)] as const,
    )
    const found = new Map(await Promise.all(answers))
    return trades.map((trade) => {
      const { venue, outcomeId } = trade
      // Outcomes unknown to the catalog keep their ids of the tape.
      return { trade, place: found.get(`${venue} ${outcomeId}`) ?? { marketId: outcomeId, outcomeId, closesAt: null } }
    })
  }

  private async notWritten(placed: readonly PlacedTrade[]): Promise<PlacedTrade[]> {
    if (placed.length === 0) return []
    const written = await this.options.store.rows<{ key: string }>(
      findWrittenSql([...new Set(placed.map(({ trade }) => trade.ts))]),
      { ids: [...new Set(placed.map(({ trade }) => trade.tradeId))] },
    )
    const known = new Set(written.map(({ key }) => key))
    return placed.filter(({ trade, place }) => !known.has(keyOf(trade, place.outcomeId)))
  }

  private async verdicts(
    placed: readonly PlacedTrade[],
  ): Promise<{ trade: TraderTradeRow; verdict: TradeHaltCheck | null }[]> {
    const rows = placed.flatMap((each) => {
      const [taker] = rowsOf(each)
      return taker === undefined || taker.role !== 'taker' ? [] : [{ row: taker, closesAt: each.place.closesAt }]
    })
    const judgement = await this.options.judgements.of(rows.map(({ row }) => row))
    return rows.map(({ row, closesAt }) => ({ trade: row, verdict: verdictOf(row, closesAt, judgement(row)) }))
  }
}

const isLook = (record: WalletTrade | WalletPoll): record is WalletPoll => 'lookedAt' in record

function newestOf(looks: readonly WalletPoll[]): Map<string, number> {
  const newest = new Map<string, number>()
  for (const { venue, lookedAt } of looks)
    if (isTime(lookedAt)) newest.set(venue, Math.max(lookedAt, newest.get(venue) ?? 0))
  return newest
}

/** Valid trades among those with one of these times and one of these ids. */
const findWrittenSql = (times: readonly number[]): string => `
SELECT concat(f.venue, ' ', f.outcome_id, ' ', toString(f.ts), ' ', f.trade_id) AS key
FROM trader_feed AS f
WHERE f.ts IN (${times.join(', ')}) AND f.trade_id IN {ids:Array(String)} AND toInt64(f.ts) + f.recv_delay > toInt64(${withdrawnAt('f')})
FORMAT JSONEachRow`

const keyOf = ({ venue, ts, tradeId }: WalletTrade, outcomeId: string): string =>
  `${venue} ${outcomeId} ${ts} ${tradeId}`

function onceEach(trades: readonly WalletTrade[]): WalletTrade[] {
  const seen = new Set<string>()
  return trades.filter((trade) => {
    const key = keyOf(trade, trade.outcomeId)
    return !seen.has(key) && seen.add(key)
  })
}

/** Values that the record cannot represent are left out here: impossible times, prices and sizes. */
const isPossible = ({ ts, recvTs, priceMicros, size }: WalletTrade): boolean =>
  isTime(recvTs) && isMoment(ts, recvTs) && isMicros(priceMicros) && isTraded(size)

/** The taker's row first. */
function rowsOf({ trade, place }: PlacedTrade): TraderTradeRow[] {
  const { venue, ts, tradeId, side, recvTs, priceMicros, size, usd, wallet, counterparty } = trade
  const { marketId, outcomeId } = place
  const row = { venue, ts, tradeId, outcomeId, marketId, recvTs, priceMicros, size, usd }
  const rows: TraderTradeRow[] = []
  if (wallet !== null) rows.push({ ...row, wallet: walletName(wallet), role: 'taker', side })
  if (counterparty !== null)
    rows.push({ ...row, wallet: walletName(counterparty), role: 'maker', side: side === 'buy' ? 'sell' : 'buy' })
  return rows
}

/** Null: the record has no score of the wallet. */
function verdictOf(row: TraderTradeRow, closesAt: number | null, judgement: Judgement | null): TradeHaltCheck | null {
  if (judgement === null || (judgement.score === null && judgement.category === null)) return null
  const { score, factors } = tradeScore({
    walletScore: judgement.score,
    usd: row.usd,
    usualUsd: judgement.usualUsd,
    side: row.side,
    price: row.priceMicros === null ? null : row.priceMicros / 1_000_000,
    ts: row.ts,
    closesAt,
  })
  const { size, entry, timing } = factors
  return { category: judgement.category, walletScore: judgement.score, tradeScore: score, size, entry, timing }
}
