// The tools available to a model. All of them read; an order is at most built as a dry run, which stores nothing and reserves
// no cap.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import '#core/validationMessages'
import { executionVenues, servedVenues } from '#schemas/venues'
import type { Answer } from './answer.ts'
import { type GatewayAt, type GatewayRequest, requestGateway, type ToolResult } from './gateway.ts'
import { oddsOf } from './odds.ts'
import { orderFieldsWords } from './orderFields.ts'
import { marketRow, matchRow, wholeMarket } from './rows.ts'

export interface Tool {
  name: string
  title: string
  description: string
  input: z.ZodObject
  /** `input` as parsed by its schema. */
  run(gateway: GatewayAt, input: never, signal: AbortSignal): Promise<Answer>
}

interface ToolDefinition<Input extends z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  requestOf(input: z.output<Input>): GatewayRequest
  answerOf(result: ToolResult): Answer
}

const tool = <Input extends z.ZodObject>({ requestOf, answerOf, ...fields }: ToolDefinition<Input>): Tool => ({
  ...fields,
  run: async (gateway, input, signal) => answerOf(await requestGateway(gateway, requestOf(input), signal)),
})

type Row = Readonly<Record<string, unknown>>
const rowsOf = ({ data }: ToolResult): Row[] => (Array.isArray(data) ? data : [])

/** Only of a search that finds nothing: titles to search for instead. */
const suggestionsOf = ({ meta }: ToolResult): { suggestions?: unknown } =>
  meta?.suggestions === undefined ? {} : { suggestions: meta.suggestions }

const venue = z.enum(servedVenues).describe('a venue')
const anyVenue = venue.optional().describe('one venue; default: all of them, with ids written <venue>:<id>')
const limit = (most: number, usual: number) =>
  z.int().min(1).max(most).default(usual).describe(`maximum number of rows; default ${usual}`)
const outcomeId = z.string().min(1).max(256).describe('of an outcome, as search_markets returns it')
const marketId = z.string().min(1).max(256).describe('of a market, as search_markets returns it')
const iso = (meaning: string) =>
  z.iso.datetime().optional().describe(`${meaning}, ISO time such as 2026-11-22T12:00:00Z`)

const searchWords = z.string().min(1).max(200)
const searchMeaning =
  'words of the title; numbers in any form (100k, $100,000), usual short names (btc, fed) and one wrong letter are understood'

const exchange = (name: string | undefined): string => `/api/${name ?? 'router'}`

export const tools: readonly Tool[] = [
  tool({
    name: 'search_markets',
    title: 'Search markets',
    description:
      'Searches market titles; most traded first. Prices are catalog snapshots, as probabilities from 0 to 1; use order_book for live prices.',
    input: z.strictObject({
      query: searchWords.optional().describe(`${searchMeaning}; default: the most traded`),
      venue: anyVenue,
      category: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('a category as rows show it, such as Politics; default: all'),
      status: z
        .enum(['active', 'closed', 'resolved', 'all'])
        .default('active')
        .describe('closed: no longer trading; resolved: settled; default active'),
      limit: limit(50, 10),
    }),
    requestOf: ({ venue: name, ...query }) => ({ path: `${exchange(name)}/fetchMarkets`, query }),
    answerOf: (result) => ({ asOf: result.asOf, ...suggestionsOf(result), rows: rowsOf(result).map(marketRow) }),
  }),
  tool({
    name: 'market',
    title: 'One market',
    description: 'A market with its rules, outcomes and ids.',
    input: z.strictObject({ marketId, venue: anyVenue }),
    requestOf: ({ venue: name, marketId: id }) => ({ path: `${exchange(name)}/fetchMarket`, query: { marketId: id } }),
    answerOf: ({ asOf, data }) => ({ asOf, market: wholeMarket(data as Row) }),
  }),
  {
    name: 'odds',
    title: 'Odds everywhere, and is there an edge',
    description:
      'Answers “what are the odds of X everywhere, and is there an edge”: for each question that the search finds, the best prices of YES on every venue that asks exactly the same, and the best arbitrage between two of them after fees. edge: null means that no pair of venues is priced. Probabilities from 0 to 1.',
    input: z.strictObject({
      query: searchWords.describe(searchMeaning),
      questions: z
        .int()
        .min(1)
        .max(5)
        .default(3)
        .describe('maximum number of questions, the most traded first; default 3'),
    }),
    run: (gateway, input, signal) => oddsOf(gateway, input, signal),
  },
  tool({
    name: 'order_book',
    title: 'Order book',
    description:
      'The book of an outcome, best prices first: live if it is watched, otherwise read from its venue. provenance and synthetic say what it is; sizes are contracts.',
    input: z.strictObject({
      outcomeId,
      venue: anyVenue,
      levels: limit(50, 10).describe('maximum number of prices on each side; default 10'),
    }),
    requestOf: ({ venue: name, outcomeId: id, levels }) => ({
      path: `${exchange(name)}/fetchOrderBook`,
      query: { outcomeId: id, limit: levels },
    }),
    answerOf: ({ asOf, data }) => ({ asOf, book: data }),
  }),
  tool({
    name: 'matches',
    title: 'The same question elsewhere',
    description:
      'Markets of other venues that ask the same, imply, follow from or exclude a market. Only matchBand "verified" is certain; differences say how the two differ.',
    input: z.strictObject({ marketId: marketId.describe('written <venue>:<id>'), limit: limit(50, 10) }),
    requestOf: (query) => ({ path: '/api/router/fetchMarketMatches', query }),
    answerOf: (result) => ({ asOf: result.asOf, rows: rowsOf(result).map(matchRow) }),
  }),
  tool({
    name: 'arbitrage',
    title: 'Arbitrage between two venues',
    description:
      'Pairs of the same question priced after fees, best edge first: buy YES on one venue and NO on the other. executable is false where reasons says so; a match that is not verified may be wrong.',
    input: z.strictObject({
      query: searchWords.optional().describe(`a leg is a market that this search finds: ${searchMeaning}`),
      market: marketId.optional().describe('a leg is this market, written <venue>:<id>'),
      venue: venue.optional().describe('a leg is on this venue; the other may be anywhere'),
      executableOnly: z.boolean().default(true).describe('leave out rows that cannot be bought now; default true'),
      minEdge: z.number().optional().describe('dollars after fees, for the contracts priced'),
      contracts: z
        .number()
        .min(0.01)
        .max(100_000)
        .multipleOf(0.01)
        .optional()
        .describe('on each side; default: the published size'),
      limit: limit(50, 10),
    }),
    requestOf: ({ market, ...body }) => ({
      method: 'POST',
      path: '/api/router/fetchArbitrage',
      body: { ...body, marketId: market },
    }),
    answerOf: (result) => ({ asOf: result.asOf, rows: rowsOf(result) }),
  }),
  tool({
    name: 'structures',
    title: 'Arbitrage over more than two legs',
    description:
      'Legs of several markets that together cannot all lose, by implication, exclusion, partition or ladder: what to buy, what it pays in the worst case, and the weakest relation it rests on.',
    input: z.strictObject({
      executableOnly: z
        .boolean()
        .default(true)
        .describe('leave out structures that cannot be bought now; default true'),
      minEdge: z.number().min(-1e9).max(1e9).optional().describe('dollars'),
      limit: limit(20, 5),
    }),
    requestOf: (query) => ({ path: '/v1/arbitrage/structures', query }),
    answerOf: (result) => ({ asOf: result.asOf, searched: result.meta, rows: rowsOf(result) }),
  }),
  tool({
    name: 'candles',
    title: 'Candles',
    description:
      'Open, high, low, close and volume of an outcome, oldest first: from start on, or the newest. What does not fit into an answer is left out from the oldest on.',
    input: z.strictObject({
      outcomeId,
      venue: anyVenue,
      resolution: z
        .enum(['1m', '5m', '15m', '1h', '4h', '1d'])
        .default('1h')
        .describe('length of a candle; default 1h'),
      start: iso('the first candle begins here or later'),
      end: iso('no candle begins later'),
      limit: limit(300, 48),
    }),
    requestOf: ({ venue: name, ...query }) => ({ path: `${exchange(name)}/fetchOHLCV`, query }),
    answerOf: (result) => ({ asOf: result.asOf, rows: rowsOf(result), newestLast: true }),
  }),
  tool({
    name: 'coverage',
    title: 'What the tape holds',
    description:
      'Gaps of the recorded history of a venue or of one of its outcomes, and up to when it is complete. nextCursor continues a venue’s outcomes; after leftOut, ask again with a smaller limit.',
    input: z.strictObject({
      venue,
      outcomeId: outcomeId.optional(),
      since: iso('gaps from here on'),
      until: iso('gaps up to here'),
      limit: limit(50, 10),
      cursor: z.string().min(1).max(4_096).optional().describe('nextCursor of the answer before; not with outcomeId'),
    }),
    requestOf: (query) => ({ path: '/v1/history/coverage', query }),
    answerOf: (result) => ({ ...result.meta, rows: rowsOf(result) }),
  }),
  tool({
    name: 'status',
    title: 'Health of the venues',
    description:
      'Connection, lag and stale books of every venue. lab: true means that simulated venues stand in for the real ones and nothing here is a real market.',
    input: z.strictObject({}),
    requestOf: () => ({ path: '/v1/status' }),
    answerOf: ({ asOf, data }) => ({ asOf, ...(data as Row) }),
  }),
  tool({
    name: 'top_traders',
    title: 'Top traders',
    description:
      'Wallets of a venue by profit, volume or score, best first. Not every venue publishes them, or for every window.',
    input: z.strictObject({
      venue,
      by: z.enum(['profit', 'volume', 'score']).default('profit').describe('what ranks them; default profit'),
      window: z.enum(['day', 'week', 'month', 'all']).default('all').describe('time that counts; default all'),
      limit: limit(50, 10),
    }),
    requestOf: ({ venue: name, ...query }) => ({ path: `/v1/traders/${name}/leaderboard`, query }),
    answerOf: (result) => ({ asOf: result.asOf, rows: rowsOf(result) }),
  }),
  tool({
    name: 'trader',
    title: 'One trader',
    description: 'Profile of a wallet at a venue: results, habits, score, and since when the record counts.',
    input: z.strictObject({
      venue,
      wallet: z.string().min(1).max(96).describe('address or account of the trader, as top_traders returns it'),
    }),
    requestOf: ({ venue: name, wallet }) => ({ path: `/v1/traders/${name}/wallets/${encodeURIComponent(wallet)}` }),
    answerOf: ({ asOf, data }) => ({ asOf, trader: data }),
  }),
  tool({
    name: 'order_dry_run',
    title: 'Preview an order',
    description:
      'Builds an order as a preview: what would be signed, its bounds and warnings. Nothing is stored, reserved or sent, and nothing here can send it. The fields are those of POST /v1/exec/{venue}/orders/build. Requires a key with the trade scope.',
    input: z.strictObject({
      venue: z.enum(executionVenues).describe('a venue that takes orders'),
      order: z.record(z.string().max(64), z.unknown()).describe(orderFieldsWords),
    }),
    requestOf: ({ venue: name, order }) => ({
      method: 'POST',
      path: `/v1/exec/${name}/orders/build`,
      // Last: whatever was requested, this stays a preview.
      body: { ...order, dryRun: true },
      headers: { 'idempotency-key': randomUUID() },
    }),
    answerOf: ({ data }) => ({ preview: data }),
  }),
]
