// The market of an outcome: the public catalog has books by market, and callers name outcomes. Learned from every market row that is read;
// for an unknown outcome the list of markets is read again, at most once per interval.
import { Cache } from '#core/cache'
import { readRows, shapeReader } from '../../shared/data/rows.ts'
import type { VenueContext } from '../../venueContext.ts'
import { CatalogMarket } from '../wireCatalog.ts'
import { marketPages } from './catalog.ts'

export interface KnownMarket {
  marketId: string
  outcomes: readonly string[]
}

interface Memory {
  byOutcome: Cache<KnownMarket>
  /** Monotonic time of the last whole reading, ms. */
  readAt: number
  reading: Promise<void> | null
}

const outcomesMax = 400_000
const rereadMs = 5 * 60_000
/** By the addresses of a running venue, which all contexts of a process share: it may have several HTTP clients. */
const memories = new WeakMap<VenueContext['urls'], Memory>()

function memoryOf({ urls }: VenueContext): Memory {
  const memory = memories.get(urls) ?? {
    byOutcome: new Cache<KnownMarket>(outcomesMax),
    readAt: Number.NEGATIVE_INFINITY,
    reading: null,
  }
  memories.set(urls, memory)
  return memory
}

export function remember(context: VenueContext, { marketId, outcomes }: CatalogMarket): void {
  const { byOutcome } = memoryOf(context)
  const market = { marketId, outcomes: outcomes.map(({ outcomeId }) => outcomeId) }
  for (const outcomeId of market.outcomes) byOutcome.set(outcomeId, market)
}

/** Null: the open set had no such outcome when it was last read. */
export async function marketOf(context: VenueContext, outcomeId: string): Promise<KnownMarket | null> {
  const memory = memoryOf(context)
  const known = memory.byOutcome.get(outcomeId)
  if (known !== undefined) return known
  if (context.clock.monotonic() - memory.readAt < rereadMs) return null
  memory.reading ??= readAll(context, memory).finally(() => {
    memory.reading = null
  })
  await memory.reading
  return memory.byOutcome.get(outcomeId) ?? null
}

async function readAll(context: VenueContext, memory: Memory): Promise<void> {
  for await (const rows of marketPages(context)) {
    const markets = readRows(context, rows, { what: 'market', name: 'marketId', read: shapeReader(CatalogMarket) })
    for (const market of markets) remember(context, market)
  }
  memory.readAt = context.clock.monotonic()
}
