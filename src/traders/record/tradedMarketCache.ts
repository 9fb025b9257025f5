// Places of taped trades, cached: the same few thousand outcomes are traded all day.
import type { Clock } from '#core/clock'
import type { RecordCatalog, TradedMarket } from './ports.ts'

const outcomesMax = 50_000
/** A market's resolution date changes now and then. */
const knownMs = 600_000
/** Outcomes unknown to the catalog may be added soon. */
const unknownMs = 15_000

export function cacheMarkets(find: RecordCatalog['findPlace'], clock: Clock): RecordCatalog['findPlace'] {
  const places = new Map<string, { place: TradedMarket | null; until: number }>()
  return async (venue, outcomeId) => {
    const key = `${venue} ${outcomeId}`
    const known = places.get(key)
    if (known !== undefined && known.until > clock.monotonic()) return known.place
    const place = await find(venue, outcomeId)
    places.delete(key)
    places.set(key, { place, until: clock.monotonic() + (place === null ? unknownMs : knownMs) })
    if (places.size > outcomesMax) for (const oldest of places.keys()) if (places.delete(oldest)) break
    return place
  }
}
