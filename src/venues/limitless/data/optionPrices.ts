// Prices of both sides of a pool, from its market's row. Its contract's logs are undocumented, so no log is reported as their cause.

import { ONE, toProbability } from '#core/price'
import type { Market } from '#schemas/market'
import type { OptionPrice } from '#schemas/optionPrices'
import type { OptionPrices, PricedPool } from '../../optionPrices.ts'
import { isQuoted } from '../../shared/settlement.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isPool, isSlug } from '../ids.ts'
import { normalizeMarket } from './normalize.ts'
import { spotOf } from './prices.ts'
import { rowOf } from './reads.ts'

/** YES before NO, as in the row. */
const choices = [
  { index: 0, label: 'Yes' },
  { index: 1, label: 'No' },
] as const

function poolOf(marketId: string, markets: readonly Market[]): PricedPool | 'not_found' | 'order_book' {
  const market = markets.find((candidate) => candidate.marketId === marketId)
  if (market === undefined) return 'not_found'
  const { contractAddress, sourceMetadata, status } = market
  if (sourceMetadata.synthetic !== true || contractAddress === undefined) return 'order_book'
  return { key: marketId, address: contractAddress, choices: isQuoted(status) ? choices : [], contract: null }
}

async function fetch(context: VenueContext, { key, choices }: PricedPool): Promise<OptionPrice[]> {
  const raw = choices.length === 0 ? null : await rowOf(context, key)
  const isOpen = raw !== null && isQuoted(normalizeMarket(raw, null)?.status ?? 'unknown')
  const yes = isOpen ? spotOf(raw) : null
  if (yes === null) return []
  return choices.map(({ index, label }) => ({
    choiceIndex: index,
    label,
    price01: toProbability(index === 0 ? yes : ONE - yes),
    rawPrice: String(raw!.prices![index]),
  }))
}

export const optionPrices: OptionPrices = {
  rowsOf: (marketId) => (isSlug(marketId) && !isPool(marketId) ? { marketId } : null),
  poolOf,
  poll: { readsPerMinute: 60, fetch },
}
