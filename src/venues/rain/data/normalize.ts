// Maps Rain's pools to our types: an option is a market of Yes and No, a pool the event of its options. Pure.
import { ONE } from '#core/price'
import type { Event, Market, MarketStatus } from '#schemas/market'
import { dailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { isoOf, known, numberOf, omitUndefined, textOf, unitsOf } from '../../shared/data/parsers.ts'
import { isUnreadable } from '../../shared/data/row.ts'
import { isQuoted, resolutionDateOf } from '../../shared/settlement.ts'
import { idsOf, marketIdOf } from '../ids.ts'
import { RainOption, type RainPool } from '../wire.ts'

const sourceExchange = 'rain'
const volumeUnit = 'COLLATERAL'
const site = 'https://rain.one'

/** Whether a new pool trades is undocumented. */
const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['Live', 'active'],
  ['Closing_Soon', 'active'],
  ['Waiting_for_Result', 'closed'],
  ['Pending_Finalization', 'closed'],
  ['Dispute_Window_Open', 'closed'],
  ['Under_Dispute', 'closed'],
  ['Appeal_Window_Open', 'closed'],
  ['Under_Appeal', 'closed'],
  ['Closed', 'resolved'],
])
export function statusOf({ status, poolFinalized }: RainPool): MarketStatus {
  const word = statuses.get(status ?? '') ?? 'unknown'
  if (word !== 'active') return word
  return isUnreadable(poolFinalized) ? 'unknown' : poolFinalized ? 'closed' : 'active'
}

/** Of the pool's base token; null when the row does not say. */
export const decimalsOf = ({ token }: RainPool): number | null => {
  const decimals = numberOf(token?.tokenDecimals)
  return decimals !== null && Number.isInteger(decimals) && decimals >= 0 && decimals <= 36 ? decimals : null
}

/** On-chain data of an option: the price of Yes as 18 decimals, and everything ever paid into it, in base units. Null when unavailable. */
export interface OptionQuote {
  price: bigint | null
  funds: bigint | null
}
export const notReported: OptionQuote = { price: null, funds: null }

/** A price of 18 decimals in micros. */
export const microsOfWei = (price: bigint | null): number | null => {
  if (price === null) return null
  const micros = Number((price + 500_000_000_000n) / 1_000_000_000_000n)
  return micros <= ONE ? micros : null
}

export interface OptionRow {
  option: number
  name: string
  image: string | null | undefined
}

/** Null when unreadable, or numbered differently than in the contract. */
export function optionRow(row: unknown, place: number): OptionRow | null {
  const { data } = RainOption.safeParse(row)
  const option = data?.choiceIndex ?? place + 1
  return data === undefined || option < 1 ? null : { option, name: data.optionName, image: data.optionImage }
}

const questionOf = ({ question, title }: RainPool): string => textOf(question) ?? textOf(title) ?? ''

export function normalizeMarket(raw: RainPool, { option, name, image }: OptionRow, quote: OptionQuote): Market {
  const pool = raw.contractAddress
  const marketId = marketIdOf(pool, option)
  const status = statusOf(raw)
  const decimals = decimalsOf(raw)
  const alone = raw.options.length === 1
  const closeTime = isoOf(raw.endDate)
  return {
    marketId,
    eventId: pool,
    title: alone ? questionOf(raw) : `${questionOf(raw)}: ${name}`,
    description: raw.poolDescription ?? '',
    outcomes: binaryOutcomes(marketId, idsOf(marketId), {
      // The contract's price of an ended option says nothing about the payout.
      price: isQuoted(status) ? microsOfWei(quote.price) : null,
      bid: null,
      ask: null,
    }),
    volume24h: null,
    volume: quote.funds === null || decimals === null ? null : unitsOf(String(quote.funds), decimals),
    liquidity: null,
    openInterest: null,
    url: site,
    ...omitUndefined({
      resolutionDate: resolutionDateOf(status, { closed: closeTime }),
      image: textOf(image),
      tags: raw.tags ?? undefined,
      contractAddress: pool,
    }),
    tickSize: null,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: 'amm',
      synthetic: true,
      collateral: raw.token?.tokenSymbol,
      collateralDecimals: decimals,
      collateralToken: raw.token?.tokenAddress,
      volumeUnit,
      poolId: raw._id ?? raw.id,
      option,
      yesSubTitle: alone ? undefined : name,
      venueStatus: raw.status,
      openTime: isoOf(raw.startDate),
      closeTime,
      ipfsUrl: raw.ipfsURL,
      creationTransaction: raw.poolTrxHash,
    }),
  }
}

export function normalizeEvent(raw: RainPool, markets: Market[]): Event {
  const volumes = markets.flatMap(({ volume }) => volume ?? [])
  return {
    id: raw.contractAddress,
    title: questionOf(raw),
    description: raw.poolDescription ?? '',
    slug: raw.contractAddress.toLowerCase(),
    markets,
    ...dailyVolume(markets),
    volume:
      volumes.length === markets.length && volumes.length > 0 ? volumes.reduce((sum, volume) => sum + volume, 0) : null,
    url: site,
    ...omitUndefined({ tags: raw.tags ?? undefined }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      poolId: raw._id ?? raw.id,
      venueStatus: raw.status,
      volumeUnit,
      closeTime: isoOf(raw.endDate),
    }),
  }
}
