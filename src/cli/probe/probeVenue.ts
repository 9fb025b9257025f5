// Every read of one venue that a user relies on, once, in the order in which the program needs them. Read-only.
import type { Clock } from '#core/clock'
import { toProbability } from '#core/price'
import type { OpenSocket } from '#net/socket'
import { Market } from '#schemas/market'
import { hasNodes, nodesOf } from '#venues/shared/evm'
import { type BookSnapshot, type OutcomeRef, readChainId, type VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { compareFields, type Drift, type Fields } from './fields.ts'
import { checkBook, checkCandles, checkMarket, checkTrades } from './invariants.ts'
import { probeSocket, type SocketProbe } from './probeSocket.ts'
import { describeError, type Step, type StepName, type StepState, type VenueReport, verdictOf } from './report.ts'
import type { WatchedClient } from './watchedClient.ts'

export interface ProbeOptions {
  manifest: VenueManifest
  context: VenueContext
  /** The client behind `context.http`. */
  client: WatchedClient
  clock: Clock
  openSocket: OpenSocket
  /** What is known of the venue's fields, by source. */
  known: Readonly<Record<string, Fields>>
  /** For a first book on the socket, and again for a change. */
  socketPatienceMs: number
}

export interface Probed {
  report: VenueReport
  socket: SocketProbe | null
}

/** Pages of the catalog that are read until a market with quotes is found. */
const pagesMax = 5
/** Pages without events: a walk that waits for a rate limit yields one per second. The usual pause after a 429 takes ten. */
const emptyPagesMax = 15
const booksMax = 5
/** Books of the socket that are compared with REST. */
const booksCompared = 2
/** A whole side may move between the two reads, so a difference counts once it was found this often in a row. */
const comparisonsMax = 3
const clockSlackMs = 2_000
/** Problems named per step; the rest are counted. */
const namedMax = 3

class Failed extends Error {}
type Outcome = { state: StepState; message: string }
const ok = (message: string): Outcome => ({ state: 'ok', message })
const skip = (message: string): Outcome => ({ state: 'skip', message })

export async function probeVenue(options: ProbeOptions): Promise<Probed> {
  const { manifest, clock, client, known, openSocket, socketPatienceMs } = options
  const { data } = manifest
  let unreadableRows = 0
  const unreadableFields = new Map<string, number>()
  const context: VenueContext = {
    ...options.context,
    leftOut(rows) {
      unreadableRows += rows
    },
    lostField: (field) => void unreadableFields.set(field, (unreadableFields.get(field) ?? 0) + 1),
  }
  const steps: Step[] = []
  let socket: SocketProbe | null = null

  async function step(name: StepName, run: () => Promise<Outcome>): Promise<boolean> {
    const begunAt = clock.monotonic()
    try {
      const outcome = await run()
      steps.push({
        step: name,
        ...outcome,
        tookMs: outcome.state === 'skip' ? null : Math.round(clock.monotonic() - begunAt),
      })
      return outcome.state !== 'fail'
    } catch (error) {
      steps.push({
        step: name,
        state: 'fail',
        message: describeError(error),
        tookMs: Math.round(clock.monotonic() - begunAt),
      })
      return false
    }
  }
  /** A failed check is a warning: the read itself works. */
  const checked = (message: string, wrong: readonly string[]): Outcome =>
    wrong.length === 0 ? ok(message) : { state: 'warn', message: summaryOf(wrong) }

  let markets: Market[] = []
  const missing = data.missing?.(context) ?? null
  if (missing !== null) steps.push({ step: 'catalog', state: 'skip', message: missing, tookMs: null })
  else if (
    await step('catalog', async () => {
      markets = await readMarkets(context, manifest)
      // A walk may wait for errors to pass, or skip what failed.
      if (markets.length === 0) throw client.failure ?? new Failed('no market could be read')
      return checked(`${markets.length} markets`, markets.flatMap(checkMarket))
    })
  ) {
    const active = markets.filter(({ status }) => status === 'active').sort(byActivity)
    const first = firstWithOutcome(active.length > 0 ? active : markets)
    const ref = first && refOf(first)
    await step('market', async () => {
      const { marketId, title } = first ?? markets[0]!
      const found = await data.fetchMarket(context, marketId)
      if (found === null) throw new Failed(`market ${marketId} of the catalog is unknown`)
      return checked(title, checkMarket(Market.parse(found.market)))
    })
    let books: { bookId: string; tickSize: number | null }[] = []
    let shown: BookSnapshot | null = null
    await step('book', async () => {
      books = bookIdsOf(manifest, active)
      if (books.length === 0) return skip('no market of this page has a book')
      for (const { bookId, tickSize } of books) {
        const book = await data.fetchOrderBook(context, bookId)
        if (book === null) continue
        shown ??= book
        if (book.bids.length + book.asks.length === 0) continue
        shown = book
        return checked(`${book.bids.length} bids, ${book.asks.length} asks`, checkBook(book, tickSize))
      }
      if (shown === null) throw new Failed(`no book of ${books.length} markets is known to the venue`)
      return { state: 'warn', message: `the books of ${books.length} markets are empty` }
    })
    await step('trades', async () => {
      const wrongNodes = await checkNodes(manifest, context)
      if (data.fetchTrades === undefined) {
        if (wrongNodes !== null) return checked('the nodes of its chain can be used', wrongNodes)
        return skip(
          data.chainTrades === undefined ? 'the venue publishes no trades' : 'no node of its chain is configured',
        )
      }
      if (ref === undefined) return skip(noOutcome)
      const trades = await data.fetchTrades(context, ref, { limit: 100 })
      return checked(`${trades.length} trades`, [...checkTrades(trades, clock.now()), ...(wrongNodes ?? [])])
    })
    await step('candles', async () => {
      if (data.fetchCandles === undefined) return skip('the venue publishes no candles')
      if (ref === undefined) return skip(noOutcome)
      const resolutionMs = Math.max(...(data.candleResolutionsMs ?? [3_600_000]).filter((each) => each <= 3_600_000))
      const candles = await data.fetchCandles(context, ref, { resolutionMs, limit: 24 })
      return checked(`${candles.length} candles`, checkCandles(candles))
    })
    await step('socket', async () => {
      if (data.stream === undefined) return skip('no socket: books are polled')
      const carried = books.map(({ bookId }) => bookId).filter((bookId) => data.stream!.carries?.(bookId) ?? true)
      if (carried.length === 0) return skip('the socket carries none of these books')
      if (data.stream.connect(context, '') === null && data.stream.fetchToken === undefined)
        return skip('the socket needs the operator’s credentials: books are polled')
      const wrong = new Set<string>()
      let differences: string[] = []
      for (let comparison = 0; comparison < comparisonsMax; comparison++) {
        socket = await probeSocket({
          stream: data.stream,
          context,
          openSocket,
          clock,
          bookIds: carried,
          patienceMs: socketPatienceMs,
          read: (bookId) => data.fetchOrderBook(context, bookId),
        })
        if (socket.failure !== null) throw new Failed(socket.failure)
        for (const warning of socket.warnings) wrong.add(warning)
        for (const book of socket.books.slice(0, booksCompared))
          for (const problem of checkBook(book, null)) wrong.add(problem)
        differences = await compareWithRest(manifest, context, socket)
        if (differences.length === 0) break
      }
      const { firstBookMs, changes } = socket!
      const summary = `first book after ${Math.round(firstBookMs ?? 0)} ms, ${changes} changes`
      return checked(summary, [...wrong, ...differences])
    })
  }
  await step('clock', async () => {
    const ahead = client.aheadMs
    if (ahead === null) return skip('the venue reports no time')
    const message = `ours is ${(Math.abs(ahead) / 1_000).toFixed(1)} s ${ahead >= 0 ? 'ahead' : 'behind'}`
    return Math.abs(ahead) > clockSlackMs ? { state: 'warn', message } : ok(message)
  })

  const drift: Drift[] = [...client.fields, ...((socket as SocketProbe | null)?.fields ?? [])].flatMap(
    ([source, collector]) => (known[source] === undefined ? [] : compareFields(source, collector, known[source])),
  )
  const { verdict, message } = verdictOf(steps, client.block)
  return {
    report: {
      venue: manifest.slug,
      verdict,
      message,
      steps,
      unreadableRows,
      unreadableFields: Object.fromEntries(unreadableFields),
      drift,
      requests: client.requests,
    },
    socket,
  }
}

const noOutcome = 'no market of this page has an outcome'

const firstWithOutcome = (markets: readonly Market[]): Market | undefined =>
  markets.find(({ outcomes }) => outcomes.length > 0)

const refOf = ({ outcomes, marketId, eventId, sourceMetadata }: Market): OutcomeRef => ({
  outcomeId: outcomes[0]!.outcomeId,
  marketId,
  eventId,
  metadata: sourceMetadata,
})

async function readMarkets(context: VenueContext, { data }: VenueManifest): Promise<Market[]> {
  const markets: Market[] = []
  let pages = 0
  let emptyPages = 0
  for await (const { events } of data.walkCatalog(context, { updatedSinceMs: null })) {
    for (const event of events) for (const market of event.markets) markets.push(Market.parse(market))
    const isEnough = markets.filter(({ status }) => status === 'active').length >= booksMax
    if (events.length === 0) emptyPages++
    else pages++
    if (isEnough || pages >= pagesMax || emptyPages >= emptyPagesMax) break
  }
  return markets
}

/** Nodes of the venue's chain that cannot be used; null: none is configured, or its data is not on chain. Throws when all are wrong. */
async function checkNodes(manifest: VenueManifest, context: VenueContext): Promise<string[] | null> {
  const chainId = readChainId(manifest)
  if (chainId === undefined || !hasNodes(context)) return null
  const nodes = nodesOf(context, manifest.slug, chainId)
  const found = await nodes.check(context.signal)
  const wrong = found.map(({ node, error }) => `node ${node}: ${describeError(error)}`)
  if (wrong.length === nodes.size) throw new Failed(summaryOf(wrong))
  return wrong
}

/** Markets with quotes first, then by volume. */
function byActivity(a: Market, b: Market): number {
  const isQuoted = ({ outcomes }: Market): number =>
    outcomes.some(({ bestBid, bestAsk }) => bestBid != null && bestAsk != null) ? 1 : 0
  return isQuoted(b) - isQuoted(a) || (b.volume24h ?? b.volume ?? 0) - (a.volume24h ?? a.volume ?? 0)
}

function bookIdsOf({ data }: VenueManifest, markets: readonly Market[]): { bookId: string; tickSize: number | null }[] {
  const found = new Map<string, number | null>()
  for (const { marketId, outcomes, tickSize } of markets) {
    const ref = outcomes[0] === undefined ? null : data.bookRef(outcomes[0].outcomeId, marketId)
    if (ref !== null && found.size < booksMax) found.set(ref.bookId, tickSize)
  }
  return [...found].map(([bookId, tickSize]) => ({ bookId, tickSize }))
}

/** Every level of a thin side may have moved between the two reads. */
const comparedLevelsMin = 3

/** A book that moves may differ in some levels; a side that repeatedly has none in common with REST is another book's. */
async function compareWithRest(
  { data }: VenueManifest,
  context: VenueContext,
  { books }: SocketProbe,
): Promise<string[]> {
  const wrong: string[] = []
  for (const book of books.slice(0, booksCompared)) {
    const rest = await data.fetchOrderBook(context, book.bookId)
    if (rest === null || rest.bids.length + rest.asks.length === 0) continue
    const pricesOf = (side: 'bids' | 'asks', of: BookSnapshot) =>
      new Set(of[side].map(([price]) => toProbability(price)))
    for (const side of ['bids', 'asks'] as const) {
      const [socket, read] = [pricesOf(side, book), pricesOf(side, rest)]
      if (Math.min(socket.size, read.size) >= comparedLevelsMin && ![...socket].some((price) => read.has(price)))
        wrong.push(`the ${side} of book ${book.bookId} on the socket are not those read over REST`)
    }
  }
  return wrong
}

function summaryOf(wrong: readonly string[]): string {
  const named = wrong.slice(0, namedMax).join('; ')
  return wrong.length > namedMax ? `${named}; and ${wrong.length - namedMax} more` : named
}
