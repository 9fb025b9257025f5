// Change of the middle price since eight moments in the past. Every price used was observed: the newest at or before its moment.
import { noTick } from '#storage/clickhouse/columnBuffers'

export const priceChangePeriodsMs = {
  priceChange1m: 60_000,
  priceChange5m: 300_000,
  priceChange15m: 900_000,
  priceChange1h: 3_600_000,
  priceChange6h: 21_600_000,
  priceChange24h: 86_400_000,
  priceChange7d: 604_800_000,
  priceChange30d: 2_592_000_000,
} as const
export type PriceChangeKey = keyof typeof priceChangePeriodsMs
export type PriceChanges = Record<PriceChangeKey, number | null>

/** Ticks are read this far back; before that the last price of each minute is used. */
export const recentMs = 20 * 60_000
/** A price older than this is not used for its moment. Minutes are kept slightly longer. */
export const oldestMs = 31 * 86_400_000

export type PriceChangesLine = { outcomeId: string } & Record<'price' | PriceChangeKey, number>

const at = (name: string, moment: string) => `argMaxIf(middle, ts, ts <= ${moment}) AS ${name}`

/** Twice the middle price in micros; 0 means unknown (a middle of 0 would need an ask at 0). */
export const findPriceChangesSql = `
SELECT outcomeId, ${at('price', '{now:UInt64}')},
  ${Object.entries(priceChangePeriodsMs)
    .map(([key, period]) => at(key, `{now:UInt64} - ${period}`))
    .join(',\n  ')}
FROM (
  SELECT t.outcome_id AS outcomeId, max(t.last_ts) AS ts, argMaxMerge(t.middle2) AS middle
  FROM middle_by_minute AS t
  WHERE t.venue = {venue:String} AND t.outcome_id IN {outcomeIds:Array(String)}
    AND t.minute BETWEEN {oldest:UInt64} / 60000 AND {now:UInt64} / 60000
  GROUP BY t.outcome_id, t.minute
  UNION ALL
  SELECT t.outcome_id AS outcomeId, t.ts AS ts, toUInt32((t.bid + t.ask) * 100 + t.bid_fine + t.ask_fine) AS middle
  FROM top_of_book AS t
  WHERE t.venue = {venue:String} AND t.outcome_id IN {outcomeIds:Array(String)}
    AND t.ts BETWEEN {recent:UInt64} AND {now:UInt64} AND t.bid != ${noTick} AND t.ask != ${noTick}
)
GROUP BY outcomeId
FORMAT JSONEachRow`

export function priceChangesOf(line: PriceChangesLine): PriceChanges {
  const keys = Object.keys(priceChangePeriodsMs) as PriceChangeKey[]
  return Object.fromEntries(
    // Twice the middle in micros: the difference of two in probability is exact to half a millionth.
    keys.map((key) => [key, line[key] === 0 || line.price === 0 ? null : (line.price - line[key]) / 2_000_000]),
  ) as PriceChanges
}

/** The other side's: one gains what the other loses. Subtracted from zero so that no change stays 0 and not −0. */
export const complementPriceChanges = (changes: PriceChanges): PriceChanges =>
  Object.fromEntries(
    Object.entries(changes).map(([key, change]) => [key, change === null ? null : 0 - change]),
  ) as PriceChanges
