// Opens what a backtest reads from: files of days, the stores of this deployment by their addresses, or a running gateway.
import { readFile } from 'node:fs/promises'
import type { BookOf } from '#history/recordedOutcomeId'
import type { Market } from '#schemas/market'
import type { VenueManifest } from '#venues/venue'
import { BacktestRefusal } from '../runBacktest.ts'
import { dayFilesTape } from './dayFiles.ts'
import type { BacktestData } from './ports.ts'

/** `catalog`: a JSON file with rows of fetchMarkets; without it markets are found by `markets`. */
export async function filesData(
  folder: string,
  catalog: string | undefined,
  manifests: ReadonlyMap<string, VenueManifest>,
  markets: () => Pick<BacktestData, 'findMarket' | 'close'>,
): Promise<BacktestData> {
  const bookOf: BookOf = (venue, outcomeId, marketId) => manifests.get(venue)?.data.bookRef(outcomeId, marketId) ?? null
  const found = catalog === undefined ? markets() : await catalogFile(catalog)
  const tape = await dayFilesTape(folder, bookOf)
  return {
    findMarket: found.findMarket,
    tape,
    gaps: async () => [],
    async close() {
      await tape.close()
      await found.close()
    },
  }
}

async function catalogFile(path: string): Promise<Pick<BacktestData, 'findMarket' | 'close'>> {
  const parsed: unknown = JSON.parse(await readFile(path, 'utf8'))
  const rows = Array.isArray(parsed) ? parsed : (parsed as { data?: unknown }).data
  if (!Array.isArray(rows)) throw new BacktestRefusal('--catalog takes a JSON file with rows of fetchMarkets')
  const all = rows as Market[]
  return {
    findMarket: async (venue, id) =>
      all.find(
        ({ sourceExchange, marketId, outcomes }) =>
          sourceExchange === venue && (marketId === id || outcomes.some(({ outcomeId }) => outcomeId === id)),
      ) ?? null,
    close: async () => undefined,
  }
}
