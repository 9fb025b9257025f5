// Maps Limitless' rows to our types. Pure: one row in, one value out. Unknown values stay unknown.
import { ONE } from '#core/price'
import type { Event, Market, MarketStatus } from '#schemas/market'
import { dailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { decodeEntities } from '../../shared/data/entities.ts'
import {
  isoOf,
  isoOfTime,
  known,
  numberOf,
  omitUndefined,
  textOf,
  timeOfEpoch,
  unitsOf,
} from '../../shared/data/parsers.ts'
import { isUnreadable } from '../../shared/data/row.ts'
import { isQuoted, resolutionDateOf } from '../../shared/settlement.ts'
import { paysFeeInCollateral, storedFees } from '../fees.ts'
import { idsOf, isPool, isSlug } from '../ids.ts'
import type { LimitlessMarket } from '../wire.ts'
import { quotedOf, spotOf, tickMicros } from './prices.ts'

const sourceExchange = 'limitless'
const volumeUnit = 'USDC'
const site = 'https://limitless.exchange/markets/'

/** FUNDED_FLAGGED is also in the venue's list; its meaning for traders is undocumented. */
const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['DRAFT', 'inactive'],
  ['CREATED', 'inactive'],
  ['FUNDED', 'active'],
  ['LOCKED', 'closed'],
  ['RESOLVED', 'resolved'],
])

function statusOf({ status, expired }: LimitlessMarket): MarketStatus {
  const word = statuses.get(status ?? '') ?? 'unknown'
  if (word === 'active' && isUnreadable(expired)) return 'unknown'
  return word === 'active' && expired === true ? 'closed' : word
}

const isAmm = ({ tradeType, tokens }: LimitlessMarket): boolean =>
  tradeType?.toLowerCase() === 'amm' || (tradeType == null && tokens == null)

/** True for a group, whose row contains markets instead of outcomes. Decided by `marketType`, or by its other fields if that is missing. */
export const isGroup = ({ marketType, tradeType, markets }: LimitlessMarket): boolean =>
  marketType === 'group' || (marketType !== 'single' && (tradeType === 'group' || (markets ?? []).length > 0))

/** Payout of YES for a resolved market, micros: its share of the payout when both sides were paid. */
function paidMicros({ winningOutcomeIndex, payoutNumerators }: LimitlessMarket): number | null {
  const winner = numberOf(winningOutcomeIndex)
  if (winner === 0) return ONE
  if (winner === 1) return 0
  const [yes, no] = (payoutNumerators ?? []).map(numberOf)
  if (yes == null || no == null || yes < 0 || no < 0 || yes + no === 0) return null
  return Math.round((yes / (yes + no)) * ONE)
}

/** In dollars; null when the market uses another token. */
function dollarsOf({ collateralToken }: LimitlessMarket, units: string | number | null | undefined): number | null {
  const decimals = numberOf(collateralToken?.decimals)
  return collateralToken?.symbol === volumeUnit && decimals !== null ? unitsOf(units, decimals) : null
}

const expiryOf = ({ expirationTimestamp }: LimitlessMarket) => isoOfTime(timeOfEpoch(expirationTimestamp, 'ms'))
const imageOf = ({ imageUrl, logo }: LimitlessMarket) => textOf(imageUrl) ?? textOf(logo)

/** Null for a row with unreadable names. `group`: the row that contained it. */
export function normalizeMarket(raw: LimitlessMarket, eventId: string | null, group?: LimitlessMarket): Market | null {
  const { slug, tokens } = raw
  const amm = isAmm(raw)
  const book = amm ? raw.address : slug
  if (!isSlug(slug) || book == null || (amm && !isPool(book))) return null
  const status = statusOf(raw)
  const quoted = amm ? { price: spotOf(raw), bid: null, ask: null } : quotedOf(raw)
  const shown = isQuoted(status) ? quoted : { ...quoted, bid: null, ask: null }
  const [yes, no] = binaryOutcomes(
    slug,
    idsOf(book),
    status === 'resolved' ? { ...shown, price: paidMicros(raw) } : shown,
  )
  const token = (tokenId: string | undefined) => (tokenId === undefined ? {} : { metadata: { tokenId } })
  const closeTime = expiryOf(raw) ?? (group && expiryOf(group))
  return {
    marketId: slug,
    eventId,
    // For a group's market only the distinguishing part: the group's own title is in its event.
    title: titleOf(raw),
    description: proseOf(raw.description) || proseOf(group?.description),
    slug,
    outcomes: [
      { ...yes, ...token(tokens?.yes) },
      { ...no, ...token(tokens?.no) },
    ],
    volume24h: null,
    volume: dollarsOf(raw, raw.volume),
    liquidity: dollarsOf(raw, raw.liquidity),
    openInterest: dollarsOf(raw, raw.openInterest),
    url: site + encodeURIComponent(group?.slug ?? slug),
    ...omitUndefined({
      resolutionDate: resolutionDateOf(status, { closed: closeTime }),
      image: imageOf(raw) ?? (group && imageOf(group)),
      category: textOf(raw.categories?.[0] ?? group?.categories?.[0]),
      tags: raw.tags ?? group?.tags ?? undefined,
      contractAddress: amm ? book : undefined,
    }),
    tickSize: amm ? null : tickMicros / ONE,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: amm ? 'amm' : 'clob',
      synthetic: amm ? true : undefined,
      collateral: raw.collateralToken?.symbol,
      collateralDecimals: numberOf(raw.collateralToken?.decimals),
      volumeUnit,
      negRisk: raw.negRiskRequestId === undefined ? undefined : raw.negRiskRequestId !== null,
      negRiskRequestId: raw.negRiskRequestId,
      conditionId: raw.conditionId,
      tokens,
      exchange: raw.venue?.exchange,
      adapter: raw.venue?.adapter,
      feeModule: raw.venue?.feeModule,
      feeModuleType: raw.venue?.feeModuleType,
      venueId: raw.id,
      groupId: isUnreadable(raw.groupId) ? undefined : raw.groupId,
      venueStatus: raw.status,
      expired: raw.expired,
      hidden: raw.hidden,
      yesSubTitle: group === undefined ? undefined : titleOf(raw),
      proxyTitle: raw.proxyTitle,
      feesEnabled: amm ? undefined : raw.metadata?.fee,
      fees: amm
        ? storedFees.amm
        : paysFeeInCollateral(raw.venue?.feeModuleType)
          ? storedFees.collateralClob
          : storedFees.clob,
      payoutNumerators: raw.payoutNumerators,
      winningOutcomeIndex: raw.winningOutcomeIndex,
      automationType: raw.automationType,
      isRewardable: raw.isRewardable,
      isOther: raw.isOther,
      stableSlug: raw.stableSlug,
      settings: raw.settings,
      venueMetadata: raw.metadata,
      priceOracle: raw.priceOracleMetadata,
      createdTime: isoOf(raw.createdAt),
      openTime: isoOf(raw.startAt),
      updatedTime: isoOf(raw.updatedAt),
      closeTime,
    }),
  }
}

/** A group with its markets, or a standalone market as its own event. */
export function normalizeEvent(raw: LimitlessMarket, markets: Market[]): Event {
  const resolutionDate = expiryOf(raw)
  return {
    id: raw.slug,
    title: titleOf(raw),
    description: proseOf(raw.description),
    slug: raw.slug,
    markets,
    ...dailyVolume(markets),
    volume: dollarsOf(raw, raw.volume),
    url: site + encodeURIComponent(raw.slug),
    ...omitUndefined({
      image: imageOf(raw),
      category: textOf(raw.categories?.[0]),
      tags: raw.tags ?? undefined,
    }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      venueId: raw.id,
      eventType: raw.marketType,
      venueStatus: raw.status,
      negRiskMarketId: raw.negRiskMarketId,
      automationType: raw.automationType,
      stableSlug: raw.stableSlug,
      createdTime: isoOf(raw.createdAt),
      closeTime: resolutionDate,
      volumeUnit,
    }),
  }
}

/** Titles are plain text in which some characters are written as in HTML. */
const titleOf = ({ title }: LimitlessMarket): string => decodeEntities(title)

/** Rules are HTML: returns their text, one line per paragraph. */
export function proseOf(html: string | null | undefined): string {
  const text = (html ?? '').replace(/<\/(?:p|li|div|h\d)>|<br\s*\/?>/gi, '\n').replace(/<[a-z/!][^<>]*>/gi, '')
  return decodeEntities(text)
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim()
}
