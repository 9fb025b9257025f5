// The stream's `replay` channel: validation, access, and one run per socket. It implements the stream's
// ChannelProvider.
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import type { Principal } from '#platform/auth/principal'
import type { CreditsPort } from '#platform/credits/port'
import type { StreamErrorCode } from '#schemas/errors'
import type { NamedOp, ReplayOp } from '#schemas/stream'
import { type BookOf, recordedOutcomeId, unmirroredBooks } from '../recordedOutcomeId.ts'
import { parseWindow, type TimeWindow } from '../replayParams.ts'
import { idForms, type OutcomeCatalog, type ResolvedOutcome, resolveOutcome } from '../resolveOutcome.ts'
import type { MarketHistory } from '../tape.ts'
import type { TapeCoverage } from '../tapeCoverage.ts'
import { booksOf } from './depth.ts'
import { type ReplayPeer, ReplayRun } from './playback.ts'
import { type EmittedFrame, linesOf, type Market, reportedGaps, tradesOf } from './sources.ts'

const rowsHeldDefault = 8_000
const pageRowsMin = 200
/** The price of a page of history, for as many frames as it has by default. */
export const replayCredits = 10

export interface PlaybackDeps {
  tape: Pick<MarketHistory, 'replay'>
  coverage: Pick<TapeCoverage, 'find' | 'gaps' | 'watermark'>
  catalog: OutcomeCatalog
  serves(venue: string): boolean
  /** Suggestion for an unknown name, as the stream makes them; null if nothing is similar. */
  meant(venue: string, marketId: string): Promise<MarketName | null>
  /** Absent: every outcome has its own book. */
  bookOf?: BookOf
  entitled(principal: Principal): boolean
  /** Earliest time the plan may read, epoch ms; null for no limit. */
  floorOf(principal: Principal): number | null
  credits: CreditsPort | undefined
  /** Per replay, over all its markets. */
  rowsHeld?: number
  clock: Clock
  log: Log
}

export interface PlaybackClient extends ReplayPeer {
  readonly id: number
  principal(): Principal
}

interface MarketName {
  venue: string
  marketId: string
}

interface Refusal {
  code: StreamErrorCode
  message: string
}

interface Acknowledged {
  markets?: (MarketName & { outcomeId: string | null; catalogMarketId: string | null; nativeId: string })[]
}

export interface ReplayChannel {
  entitled(principal: Principal): boolean
  check(op: NamedOp, principal: Principal): Promise<Refusal | null>
  acknowledges(op: NamedOp): Acknowledged
  started(peer: PlaybackClient, topic: string, op: NamedOp): void
  onControl(peer: PlaybackClient, topic: string, op: { op: 'pauseReplay' | 'resumeReplay' }): void
  stopped(peer: PlaybackClient): void
}

interface CheckedReplay extends TimeWindow {
  markets: Market[]
  reads: NonNullable<Acknowledged['markets']>
}

export function replayChannel(deps: PlaybackDeps): ReplayChannel {
  const { catalog, serves, floorOf, clock, log, bookOf = unmirroredBooks } = deps
  /** Result of a check, for the start that follows it. */
  const checked = new WeakMap<NamedOp, CheckedReplay>()
  const runs = new Map<number, { run: ReplayRun; reading: AbortController }>()

  async function validate(op: ReplayOp, principal: Principal): Promise<CheckedReplay | Refusal> {
    const window = parseWindow({ since: String(op.since), until: String(op.until) })
    const floorMs = floorOf(principal)
    if (floorMs !== null && window.sinceMs < floorMs)
      throw new Fault('PLAN_REQUIRED', 'since is before the history this plan includes')
    const markets: Market[] = []
    const reads: CheckedReplay['reads'] = []
    for (const { venue, marketId } of op.markets) {
      if (!serves(venue)) throw new Fault('EXCHANGE_NOT_AVAILABLE', `exchange ${venue} is not available`)
      if (markets.some((other) => other.venue === venue && other.marketId === marketId))
        throw new Fault('VALIDATION_ERROR', 'markets: one is listed twice')
      const found = await findOutcome(catalog, venue, marketId)
      const market = { venue, marketId, outcomeIds: found.outcomeIds, catalogMarketId: found.marketId }
      if (found.marketId === undefined && !(await isTaped(deps, market, window)))
        return unknown(market, await deps.meant(venue, marketId))
      markets.push(market)
      reads.push(readAs(market, bookOf))
    }
    return { ...window, markets, reads }
  }

  function stop(id: number): void {
    const running = runs.get(id)
    runs.delete(id)
    running?.run.stop()
    running?.reading.abort()
  }

  return {
    entitled: deps.entitled,
    async check(op, principal) {
      if (op.op !== 'subscribeReplay') return { code: 'BAD_MESSAGE', message: 'not a replay' }
      try {
        const validated = await validate(op, principal)
        if ('code' in validated) return validated
        checked.set(op, validated)
        return null
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return { code: error.code === 'VALIDATION_ERROR' ? 'BAD_MESSAGE' : error.code, message: error.message }
      }
    },
    acknowledges(op) {
      const query = checked.get(op)
      return query === undefined ? {} : { markets: query.reads }
    },
    started(peer, topic, op) {
      const query = checked.get(op)
      if (op.op !== 'subscribeReplay' || query === undefined) return
      stop(peer.id)
      const reading = new AbortController()
      const run = new ReplayRun({
        clock,
        topic,
        peer: {
          ...peer,
          done(ended) {
            stop(peer.id)
            peer.done(ended)
          },
        },
        sources: sourcesOf(deps, op, query, reading.signal),
        sinceMs: query.sinceMs,
        speed: op.speed ?? 1,
        pay: () => pay(deps.credits, peer.principal()),
        completeUntil: () => deps.coverage.watermark(clock.now()),
        onFailure: (error) => log.warn({ err: error }, 'a replay on the stream broke off'),
      })
      runs.set(peer.id, { run, reading })
    },
    onControl(peer, _topic, { op }) {
      const run = runs.get(peer.id)?.run
      if (op === 'pauseReplay') run?.pause()
      else run?.resume()
    },
    stopped: (peer) => stop(peer.id),
  }
}

/** Resolved like in history; for a two-outcome market of the catalog its Yes, or the first if none is called Yes. */
async function findOutcome(catalog: OutcomeCatalog, venue: string, id: string): Promise<ResolvedOutcome> {
  const found = await resolveOutcome(catalog, { venue, outcomeId: id, marketId: null })
  if (found.marketId !== undefined) return found
  for (const form of idForms(venue, id)) {
    const outcomes = (await catalog.findMarket(venue, form))?.outcomes ?? []
    if (outcomes.length !== 2) continue
    const yes = outcomes.find(({ label }) => label.toLowerCase() === 'yes') ?? outcomes[0]!
    return resolveOutcome(catalog, { venue, outcomeId: yes.outcomeId, marketId: null })
  }
  return found
}

/** Under the exact name: the window has rows, or may have some according to coverage. */
async function isTaped({ tape, coverage, clock }: PlaybackDeps, market: Market, window: TimeWindow) {
  const { venue, outcomeIds } = market
  for (const outcomeId of outcomeIds)
    if ((await coverage.find(venue, outcomeId, undefined, window, clock.now())) !== null) return true
  const { signal } = new AbortController()
  for (const kind of ['tob', 'trades'] as const)
    for await (const _ of linesOf(tape, market, kind, window, 1, signal)) return true
  return false
}

/** The frame names the replay, which is one subscription; the message says which of its markets is meant. */
function unknown({ venue, marketId }: MarketName, meant: MarketName | null): Refusal {
  const message = `neither the catalog of ${venue} nor its tape has ${marketId}`
  if (meant === null) return { code: 'MARKET_NOT_FOUND', message }
  const where = meant.venue === venue ? '' : ` at ${meant.venue}`
  return { code: 'MARKET_NOT_FOUND', message: `${message}; did you mean ${meant.marketId}${where}?` }
}

function readAs({ venue, marketId, outcomeIds, catalogMarketId }: Market, bookOf: BookOf) {
  const [nativeId] = recordedOutcomeId(bookOf, venue, outcomeIds, catalogMarketId).outcomeIds
  const outcomeId = catalogMarketId === undefined ? null : outcomeIds[0]!
  return { venue, marketId, outcomeId, catalogMarketId: catalogMarketId ?? null, nativeId: nativeId! }
}

function sourcesOf(
  { tape, coverage, rowsHeld = rowsHeldDefault }: PlaybackDeps,
  op: ReplayOp,
  { markets, ...window }: CheckedReplay,
  signal: AbortSignal,
) {
  const { channels = ['orderbook', 'trades'] } = op
  const kinds = (['tob', 'trades'] as const).filter((kind) =>
    channels.includes(kind === 'tob' ? 'orderbook' : 'trades'),
  )
  const pageRows = Math.max(pageRowsMin, Math.floor(rowsHeld / (markets.length * kinds.length)))
  return markets.flatMap((of): { of: Market; pages: AsyncIterable<EmittedFrame[]> }[] => [
    { of, pages: gapsPage(coverage, of, window) },
    ...kinds.map((kind) => ({
      of,
      pages: (kind === 'tob' ? booksOf : tradesOf)(tape, of, window, pageRows, signal),
    })),
  ])
}

/** Before events of the same time, so that the tape is not taken for complete. */
async function* gapsPage(
  coverage: Pick<TapeCoverage, 'gaps'>,
  { venue, outcomeIds, catalogMarketId }: Market,
  window: TimeWindow,
): AsyncGenerator<EmittedFrame[]> {
  const gaps = reportedGaps(await coverage.gaps(venue, outcomeIds[0]!, catalogMarketId, window), window.sinceMs)
  if (gaps.length > 0) yield gaps
}

async function pay(credits: CreditsPort | undefined, principal: Principal): Promise<void> {
  const reservation = await credits?.reserve(principal, replayCredits, 'subscribeReplay')
  reservation?.keep()
}
