// The manifest's data functions: the venue's list, combined with its contracts' state when a node is configured.
import { ONE } from '#core/price'
import type { Event, Market } from '#schemas/market'
import { unitsOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { readOptional, readRows } from '../../shared/data/rows.ts'
import { type TopOfBook, topOnlyBook } from '../../shared/data/synthetic.ts'
import { hasNodes } from '../../shared/evm.ts'
import type { BookSnapshot, CatalogPage } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isPool, optionOf, sides } from '../ids.ts'
import { RainPool } from '../wire.ts'
import { callPools, type PoolCall } from './chain.ts'
import * as endpoints from './endpoints.ts'
import {
  decimalsOf,
  normalizeEvent,
  normalizeMarket,
  notReported,
  type OptionQuote,
  type OptionRow,
  optionRow,
  statusOf,
} from './normalize.ts'

interface Pool {
  raw: RainPool
  options: OptionRow[]
}

/** The list has no filter by change: every walk is full. */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncIterable<CatalogPage> {
  for await (const rows of endpoints.poolPages(context)) {
    const read = (row: unknown): Pool | null => {
      const { data } = RainPool.safeParse(row)
      return data !== undefined && isPool(data.contractAddress) ? poolOf(context, data) : null
    }
    const pools = readRows(context, rows, { what: 'pool', name: 'contractAddress', read })
    yield { events: await eventsOf(context, pools), series: [] }
  }
}

function poolOf(context: VenueContext, raw: RainPool): Pool {
  const read = (row: unknown): OptionRow | null => optionRow(row, raw.options.indexOf(row))
  return { raw, options: readRows(context, raw.options, { what: 'option', name: 'optionName', read }) }
}

/** Ended options are not read: their price is meaningless. The catalog works without the chain. */
async function eventsOf(context: VenueContext, pools: readonly Pool[]): Promise<Event[]> {
  const quotedOptions = pools.flatMap((pool) =>
    statusOf(pool.raw) === 'active' ? pool.options.map(({ option }) => ({ pool, option })) : [],
  )
  const calls = quotedOptions.flatMap(({ pool: { raw }, option }): PoolCall[] => [
    { pool: raw.contractAddress, functionName: 'getCurrentPrice', args: [BigInt(option), sides.yes] },
    { pool: raw.contractAddress, functionName: 'optionTotalFunds', args: [BigInt(option)] },
  ])
  const nothing = calls.map(() => null)
  const words = 'a node did not answer: pools have no prices and volumes'
  const answers = hasNodes(context) ? await readOptional(context, words, nothing, callPools(context, calls)) : nothing
  const quotes = new Map<string, OptionQuote>(
    quotedOptions.map(({ pool, option }, n) => [
      `${pool.raw.contractAddress}:${option}`,
      { price: answers[n * 2] ?? null, funds: answers[n * 2 + 1] ?? null },
    ]),
  )
  return pools.map(({ raw, options }) =>
    normalizeEvent(
      raw,
      options.map((row) =>
        normalizeMarket(raw, row, quotes.get(`${raw.contractAddress}:${row.option}`) ?? notReported),
      ),
    ),
  )
}

async function getPool(context: VenueContext, address: string): Promise<Pool | null> {
  const raw = await endpoints.getPool(context, address)
  if (raw === null) return null
  if (raw.contractAddress.toLowerCase() !== address.toLowerCase()) {
    throw unreadable(context, `/pools/poolByContractAddress/${address}`, `pool ${raw.contractAddress}`)
  }
  return poolOf(context, { ...raw, contractAddress: address })
}

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const pool = isPool(eventId) ? await getPool(context, eventId) : null
  return pool === null ? null : (await eventsOf(context, [pool]))[0]!
}

export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event } | null> {
  const event = await fetchEvent(context, optionOf(marketId)?.pool ?? '')
  const market = event?.markets.find((candidate) => candidate.marketId === marketId)
  return event === null || market === undefined ? null : { market, event }
}

/** The quote requested from the contract for a book: this much of the base token. */
const entryTokens = 10n

/**
 * One level per side, quoted by the contract itself: the ask is what ten of the base token buy of Yes, the bid what they buy of No, which together
 * with a Yes makes a whole token again. Empty when the contract refuses to quote.
 */
export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const named = optionOf(bookId)
  const pool = named === null ? null : await getPool(context, named.pool)
  if (named === null || pool === null || !pool.options.some(({ option }) => option === named.option)) return null
  const decimals = decimalsOf(pool.raw)
  const isOpen = statusOf(pool.raw) === 'active' && decimals !== null
  const amount = entryTokens * 10n ** BigInt(decimals ?? 0)
  const entry = (side: number): PoolCall => ({
    pool: named.pool,
    functionName: 'getEntryShares',
    args: [BigInt(named.option), side, amount],
  })
  const [yes, no] = await callPools(context, isOpen ? [entry(sides.yes), entry(sides.no)] : [])
  const touch = (shares: bigint | null | undefined, isNo: boolean): TopOfBook => {
    if (shares === null || shares === undefined || shares <= 0n || decimals === null)
      return { micros: null, size: null }
    const micros = Number((amount * BigInt(ONE) + shares / 2n) / shares)
    return { micros: isNo ? ONE - micros : micros, size: unitsOf(String(shares), decimals) }
  }
  const book = topOnlyBook(bookId, { bid: touch(no, true), ask: touch(yes, false) }, context.clock.now())
  if (book === null) throw unreadable(context, 'getEntryShares', `${bookId} is crossed`)
  return book
}
