// Places of taped trades, cached: the same few thousand outcomes are traded all day.
import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import type { RecordCatalog, TradedMarket } from './ports.ts'

const outcomesMax = 50_000
/** A market's resolution date changes now and then. */
const knownMs = 600_000
/** Outcomes unknown to the catalog may be added soon. */
const unknownMs = 15_000

export function cacheMarkets(find: RecordCatalog['findPlace'], clock: Clock): RecordCatalog['findPlace'] {
  const places = new Cache<TradedMarket | null>(outcomesMax, { clock })
  return async (venue, outcomeId) => {
    const key = `${venue} ${outcomeId}`
    const known = places.get(key)
    if (known !== undefined) return known
    const place = await find(venue, outcomeId)
    places.set(key, place, place === null ? unknownMs : knownMs)
    return place
  }
}
