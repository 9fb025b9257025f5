// One run after another: passes what changed in the catalog since the last run to the engine, lets it match, and stores the result. Reads
// and writes are split into batches, because books pass through the same event loop.
import type { Clock } from '#core/clock'
import { inputOf, type MatchEngine, type MatchInput, marketKey, type Override } from '#matching/candidateIndex'
import { demotePieces } from '#matching/decide/priceReview/demote'
import {
  findActiveOverrides,
  findActiveTemplateDecisions,
  findJudgeDecisions,
  findLastReviewId,
  findMatchDigests,
  findMatchWords,
  findPreviousMembers,
  latestRunId,
  type OverrideCommand,
  type PreviousMember,
  writeRun,
} from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import type { Run, RunLogRow } from '#storage/postgres/runLog'
import type { MarketBound } from './marketBound.ts'
import { type FeeOf, PriceReview } from './priceReview.ts'

const digestsPerRead = 1_000
const wordsPerRead = 100
const membersPerRead = 2_000
const keysPerDrop = 2_000
/** An incremental run may miss a pair whose candidate lists shifted; a full one does not. */
const fullEveryMs = 6 * 3_600_000

export interface MatcherRunsOptions {
  pool: Pool
  engine: MatchEngine
  venues: readonly string[]
  bound: Pick<MarketBound, 'review' | 'cutoff'>
  feeOf: FeeOf
  clock: Clock
}

interface SentMarket {
  /** The digest of its text. */
  digest: string
  /** When it was last seen in the catalog. */
  round: number
}

export class MatcherRuns {
  private readonly options: MatcherRunsOptions
  /** What the engine has, by venue and market. */
  private known = new Map<string, Map<string, SentMarket>>()
  private round = 0
  private generation = -1
  private fullAt = Number.NEGATIVE_INFINITY
  /** The last review of a judgement that a run has read; null before the first. */
  private reviewId: string | null = null
  private readonly prices: PriceReview

  constructor(options: MatcherRunsOptions) {
    this.options = options
    this.prices = new PriceReview(options.pool, options.clock, options.feeOf)
  }

  /** Throws when anything fails; nothing is stored then. */
  async run(run: Run): Promise<RunLogRow | null> {
    const { pool, engine, venues, bound, clock } = this.options
    const begunAt = clock.monotonic()
    await engine.begin()
    const basedOn = await latestRunId(pool)
    const { words, lastId } = await findActiveOverrides(pool)
    const { decisions: ofOperators, lastId: templateDecisionId } = await findActiveTemplateDecisions(pool)
    const reviewId = await findLastReviewId(pool)
    const decisions = [...ofOperators, ...(await findJudgeDecisions(pool))]
    if (engine.generation !== this.generation) this.forget()
    const full = clock.monotonic() - this.fullAt >= fullEveryMs
    await bound.review(full)
    for (const venue of new Set([...venues, ...this.known.keys()])) await this.sendVenue(venue, venues.includes(venue))
    await this.remember()
    const demotions = await this.prices.demotions()
    const counts = await engine.run({ overrides: words.map(overrideOf), decisions, full, now: clock.now() })
    if (engine.generation !== this.generation) throw new Error('the matcher restarted during a run')
    const written = { run, basedOn, overrideId: lastId, templateDecisionId }
    const row = await writeRun(pool, written, demotePieces(engine.pieces(), demotions), () => {
      return { finishedAt: clock.now(), counts: { ...counts, tookMs: Math.round(clock.monotonic() - begunAt) } }
    })
    if (full) this.fullAt = begunAt
    this.reviewId = reviewId
    return row
  }

  /** Whether a judgement was revoked or confirmed since the last run read them. */
  async hasNewReview(): Promise<boolean> {
    return this.reviewId !== null && (await findLastReviewId(this.options.pool)) !== this.reviewId
  }

  /** A new thread must be sent everything. */
  private forget(): void {
    this.generation = this.options.engine.generation
    this.known = new Map()
    this.fullAt = Number.NEGATIVE_INFINITY
  }

  private async sendVenue(venue: string, takesPart: boolean): Promise<void> {
    const { pool, engine, bound } = this.options
    const known = this.known.get(venue) ?? new Map<string, SentMarket>()
    this.known.set(venue, known)
    const round = ++this.round
    let still = 0
    for (let after: string | null = takesPart ? '' : null; after !== null; ) {
      const page: { id: string; digest: string }[] = await findMatchDigests(
        pool,
        venue,
        after,
        digestsPerRead,
        bound.cutoff(venue),
      )
      await this.sendChanged(
        venue,
        known,
        page.filter(({ id, digest }) => known.get(id)?.digest !== digest),
      )
      for (const { id } of page) {
        const sent = known.get(id)
        if (sent !== undefined) sent.round = round
      }
      still += page.length
      after = page.length < digestsPerRead ? null : page.at(-1)!.id
    }
    if (still === known.size) return
    let looked = 0
    const gone: string[] = []
    for (const [id, sent] of known) {
      if (sent.round !== round) gone.push(id)
      // Yields to the event loop.
      if (++looked % keysPerDrop === 0) await engine.drop([])
    }
    for (let at = 0; at < gone.length; at += keysPerDrop) {
      const ids = gone.slice(at, at + keysPerDrop)
      await engine.drop(ids.map((marketId) => marketKey({ venue, marketId })))
      for (const id of ids) known.delete(id)
    }
  }

  private async sendChanged(
    venue: string,
    known: Map<string, SentMarket>,
    changed: readonly { id: string; digest: string }[],
  ): Promise<void> {
    const { pool, engine } = this.options
    for (let at = 0; at < changed.length; at += wordsPerRead) {
      const batch = changed.slice(at, at + wordsPerRead)
      const found = await findMatchWords(
        pool,
        venue,
        batch.map(({ id }) => id),
      )
      const inputs = new Map(found.map(({ id, words }): [string, MatchInput | null] => [id, inputOf(venue, id, words)]))
      const questions = batch.flatMap(({ id }) => inputs.get(id) ?? [])
      if (questions.length > 0) await engine.put(questions)
      // A market that no longer has a question of its own is dropped too.
      const mute = batch.filter(({ id }) => known.has(id) && !inputs.get(id))
      if (mute.length > 0) await engine.drop(mute.map(({ id }) => marketKey({ venue, marketId: id })))
      for (const { id, digest } of batch) known.set(id, { digest, round: this.round })
    }
  }

  private async remember(): Promise<void> {
    const { pool, engine } = this.options
    for (let after: PreviousMember | null = null; ; ) {
      const page: PreviousMember[] = await findPreviousMembers(pool, after, membersPerRead)
      if (page.length > 0)
        await engine.remember(page.map((member) => ({ clusterId: member.clusterId, key: marketKey(member) })))
      if (page.length < membersPerRead) return
      after = page.at(-1)!
    }
  }
}

const overrideOf = ({ a, b, action, polarity, reason }: OverrideCommand): Override => ({
  a: marketKey(a),
  b: marketKey(b),
  kind: action === 'pin' ? 'pin' : 'forbid',
  reason,
  ...(polarity === null ? {} : { polarity }),
})
