// Polymarket's names for the catalog: numeric ids, condition ids, 77-digit token ids, slugs, neg-risk groups.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import { slugify, tokenOf, uniqueSlug } from '../catalog/names.ts'
import { digestHex } from '../prng.ts'

export interface PolyMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: PolyEvent
  /** Gamma id, decimal text. */
  id: string
  /** 32 bytes; Gamma shows one of protocol 2 without its last, which is zero. */
  conditionId: string
  questionId: string
  slug: string
  protocol: 'v1' | 'v2'
  /** Yes (first) and No (second): CLOB tokens, or position ids of protocol 2. */
  tokens: readonly [string, string]
  outcomes: readonly [string, string]
  groupIndex: number
}

export interface PolyTag {
  id: string
  label: string
  slug: string
}

export interface PolyEvent {
  catalog: CatalogEvent
  id: string
  slug: string
  negRisk: boolean
  negRiskMarketId: string
  tags: PolyTag[]
  series: { id: string; slug: string; title: string } | null
  markets: PolyMarket[]
}

export interface PolyListing {
  events: PolyEvent[]
  markets: PolyMarket[]
  tags: PolyTag[]
  series: { id: string; slug: string; title: string }[]
  byKey: ReadonlyMap<string, PolyMarket>
  byId: ReadonlyMap<string, PolyMarket>
  byCondition: ReadonlyMap<string, PolyMarket>
  byToken: ReadonlyMap<string, { market: PolyMarket; side: 0 | 1 }>
}

/** How this venue lists a question. */
export const catalogStyle = { fineGrid: 'milli', namedSides: true } as const

/** Fee rate of a category, 0 when it has none. */
export const feeRate = (event: PolyEvent): number => (event.catalog.category === 'Crypto' ? 0.07 : 0)

export function listPolymarket(catalog: readonly CatalogEvent[], seed: string): PolyListing {
  const tags = new Map<string, PolyTag>()
  const series = new Map<string, { id: string; slug: string; title: string }>()
  const slugs = new Set<string>()
  const events = catalog.map((event) => listEvent(event, seed, tags, series, slugs))
  const markets = events.flatMap((event) => event.markets)
  const byToken = new Map<string, { market: PolyMarket; side: 0 | 1 }>()
  for (const market of markets) {
    byToken.set(market.tokens[0], { market, side: 0 })
    byToken.set(market.tokens[1], { market, side: 1 })
  }
  return {
    events,
    markets,
    tags: [...tags.values()],
    series: [...series.values()],
    byKey: new Map(markets.map((market) => [market.key, market])),
    byId: new Map(markets.map((market) => [market.id, market])),
    byCondition: new Map(markets.map((market) => [market.conditionId, market])),
    byToken,
  }
}

function listEvent(
  catalog: CatalogEvent,
  seed: string,
  tags: Map<string, PolyTag>,
  series: Map<string, { id: string; slug: string; title: string }>,
  slugs: Set<string>,
): PolyEvent {
  const negRisk = catalog.exclusive
  const isRecorded = catalog.markets.some(({ recordedId }) => recordedId !== undefined && recordedId !== null)
  const isV2 = catalog.category === 'Crypto' && !negRisk && !isRecorded
  const group = `0x${digestHex(`${seed}/negrisk/${catalog.key}`).slice(0, 62)}`
  const event: PolyEvent = {
    catalog,
    id: String(16_000 + catalog.ordinal),
    slug: uniqueSlug(slugify(catalog.title), catalog.ordinal, slugs),
    negRisk,
    negRiskMarketId: negRisk ? `${group}00` : '',
    tags: catalog.tags.map((label) => {
      const slug = slugify(label)
      if (!tags.has(slug)) tags.set(slug, { id: String(100 + tags.size), label, slug })
      return tags.get(slug)!
    }),
    series: null,
    markets: [],
  }
  const [ticker, title] = catalog.series
  if (/-\d+$/.test(catalog.key)) {
    const slug = slugify(title)
    if (!series.has(ticker)) series.set(ticker, { id: String(10_000 + series.size), slug, title })
    event.series = series.get(ticker)!
  }
  event.markets = catalog.markets.map((market, groupIndex) => {
    const name = `${seed}/polymarket/${market.key}`
    const ids = isV2 ? positionsOf(name) : tokensOf(name, market)
    return {
      key: market.key,
      catalog: market,
      event,
      id: String(500_000 + catalog.ordinal * 20 + groupIndex),
      protocol: isV2 ? 'v2' : 'v1',
      conditionId: ids.conditionId,
      questionId: negRisk
        ? `${group}${groupIndex.toString(16).padStart(2, '0')}`
        : `0x${digestHex(`${name}/question`)}`,
      slug: uniqueSlug(slugify(market.question), catalog.ordinal, slugs),
      tokens: ids.tokens,
      outcomes: market.opposite === 'No' ? ['Yes', 'No'] : [market.label, market.opposite],
      groupIndex,
    }
  })
  return event
}

const tokensOf = (name: string, { recordedId }: CatalogMarket) => ({
  conditionId: `0x${digestHex(`${name}/condition`)}`,
  tokens: [recordedId ?? tokenOf(`${name}/yes`), tokenOf(`${name}/no`)] as const,
})

/** Of the binary module: 1, a hash of 16 bytes, 14 bytes of zeros, and the outcome. */
function positionsOf(name: string) {
  const condition = `0x01${digestHex(`${name}/condition`).slice(0, 32)}${'00'.repeat(14)}`
  const position = (outcome: string): string => BigInt(`${condition}${outcome}`).toString()
  return { conditionId: `${condition}00`, tokens: [position('00'), position('01')] as const }
}
