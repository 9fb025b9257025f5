// One answer for "what are the odds of X everywhere, and is there an edge": search, prices of each match, and arbitrage between them.
import type { Answer } from './answer.ts'
import { type GatewayAt, requestGateway } from './gateway.ts'
import { marketRow } from './rows.ts'

type Row = Readonly<Record<string, unknown>>

/** Markets read for the wanted questions: several of them may ask the same. */
const marketsPerQuestion = 4
/** Venues that ask one question. */
const matchesMax = 40

interface Odds {
  venue: unknown
  marketId: string
  title?: unknown
  bestBid: unknown
  bestAsk: unknown
  polarity?: unknown
  matchBand?: unknown
}

export async function oddsOf(
  gateway: GatewayAt,
  { query, questions }: { query: string; questions: number },
  signal: AbortSignal,
): Promise<Answer> {
  const found = await requestGateway(
    gateway,
    { path: '/api/router/fetchMarkets', query: { query, status: 'active', limit: questions * marketsPerQuestion } },
    signal,
  )
  const markets = rowsOf(found.data)
  const suggestions = found.meta?.suggestions
  if (markets.length === 0) return { asOf: found.asOf, ...(suggestions === undefined ? {} : { suggestions }), rows: [] }
  const rows: object[] = []
  const covered = new Set<string>()
  for (const market of markets) {
    if (rows.length === questions) break
    const id = String(market.marketId)
    if (covered.has(id)) continue
    const [prices, edge] = [
      await orWhy(pricesOf(gateway, market, signal), signal),
      await orWhy(edgeOf(gateway, id, signal), signal),
    ]
    const odds = prices.value ?? []
    for (const { marketId } of odds) covered.add(marketId)
    covered.add(id)
    rows.push({
      question: market.title,
      resolutionDate: market.resolutionDate,
      odds,
      ...(prices.why === undefined ? {} : { oddsUnavailable: prices.why }),
      edge: edge.value ?? null,
      ...(edge.why === undefined ? {} : { edgeUnavailable: edge.why }),
    })
  }
  return { asOf: found.asOf, rows }
}

/** The gateway's refusal of one part does not cost the others: a plan without arbitrage, a matcher that has not finished. */
async function orWhy<T>(work: Promise<T>, signal: AbortSignal): Promise<{ value?: T; why?: string }> {
  try {
    return { value: await work }
  } catch (error) {
    if (signal.aborted) throw error
    return { why: (error as Error).message }
  }
}

/** The market's own price first. */
async function pricesOf(gateway: GatewayAt, market: Row, signal: AbortSignal): Promise<Odds[]> {
  const marketId = String(market.marketId)
  const path = '/api/router/compareMarketPrices'
  const { data, meta } = await requestGateway(gateway, { path, query: { marketId, limit: matchesMax } }, signal)
  const own = meta?.source as Row | undefined
  const { sourceExchange, title } = marketRow(market)
  return [
    { venue: sourceExchange, marketId, title, bestBid: own?.bestBid ?? null, bestAsk: own?.bestAsk ?? null },
    ...rowsOf(data).map(({ venue, market: other, bestBid, bestAsk, polarity, matchBand }) => {
      const { marketId, title } = other as Row
      return { venue, marketId: String(marketId), title, bestBid, bestAsk, polarity, matchBand }
    }),
  ]
}

/** The best pair of legs that this market has a part in, executable or not. */
async function edgeOf(gateway: GatewayAt, marketId: string, signal: AbortSignal): Promise<Row | null> {
  const body = { marketId, limit: 1, executableOnly: false, compat: false }
  const { data } = await requestGateway(gateway, { method: 'POST', path: '/api/router/fetchArbitrage', body }, signal)
  const [best] = rowsOf(data)
  if (best === undefined) return null
  const { netEdge, roi, contracts, totalCost, legs, executable, reasons, label, matchBand, asOf } = best
  return { netEdge, roi, contracts, totalCost, executable, reasons, label, matchBand, legs, asOf }
}

const rowsOf = (data: unknown): Row[] => (Array.isArray(data) ? (data as Row[]) : [])
