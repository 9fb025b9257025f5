// Passes catalog changes since the last pass to the engine. Venues whose catalog was not written are skipped; at the others, an unchanged row costs
// costs one digest comparison. Reads are split into batches, because books pass through the same event loop.
import { inputOf, keyOf, type SportsInput, type SportsThread } from '#sports/index'
import type { Pool } from '#storage/postgres/pool'
import { findCatalogVersion, findPlacedMarkets, findRowVersions, findSportsWords } from '#storage/postgres/sports/index'

const versionsPerRead = 1_000
const wordsPerRead = 100
const fixturesPerRead = 200

interface SentMarket {
  version: string
  /** When it was last seen trading. */
  round: number
}

export class CatalogFollower {
  private readonly pool: Pool
  private readonly thread: SportsThread
  private readonly venues: readonly string[]
  /** What the engine has been sent, by venue and market. */
  private known = new Map<string, Map<string, SentMarket>>()
  private catalogs = new Map<string, string | null>()
  private round = 0
  private generation = -1
  /** Stored fixtures that the engine has not built yet; null once it has built all there are. */
  private unbuilt: Set<string> | null = null

  constructor(pool: Pool, thread: SportsThread, venues: readonly string[]) {
    this.pool = pool
    this.thread = thread
    this.venues = venues
  }

  /** Throws when anything fails: what was not sent is sent the next time. */
  async follow(): Promise<void> {
    await this.thread.begin()
    if (this.thread.generation !== this.generation) await this.startOver()
    for (const venue of this.venues) {
      const version = await findCatalogVersion(this.pool, venue)
      if (version === null || this.catalogs.get(venue) === version) continue
      await this.sendVenue(venue)
      this.catalogs.set(venue, version)
    }
    if (this.thread.generation !== this.generation) throw new Error('the sports engine restarted during a pass')
  }

  /** After a run that started over and sent everything: stored fixtures that no longer exist. */
  leftBehind(built: ReadonlySet<string>): string[] {
    return [...(this.unbuilt ?? [])].filter((id) => !built.has(id))
  }

  /** Their removal has been written. */
  forgetLeftBehind(): void {
    this.unbuilt = null
  }

  /** A new thread is sent the stored placements, and then everything. */
  private async startOver(): Promise<void> {
    this.generation = this.thread.generation
    this.known = new Map()
    this.catalogs = new Map()
    this.unbuilt = new Set()
    for (let after = ''; ; ) {
      const page = await findPlacedMarkets(this.pool, after, fixturesPerRead)
      const placed = page.flatMap(({ fixtureId, markets }) => markets.map((each) => ({ key: keyOf(each), fixtureId })))
      if (placed.length > 0) await this.thread.remember(placed)
      for (const { fixtureId } of page) this.unbuilt.add(fixtureId)
      for (const { markets } of page)
        for (const { venue, marketId } of markets) this.knownOf(venue).set(marketId, { version: '', round: 0 })
      if (page.length < fixturesPerRead) return
      after = page.at(-1)!.fixtureId
    }
  }

  private knownOf(venue: string): Map<string, SentMarket> {
    const known = this.known.get(venue) ?? new Map<string, SentMarket>()
    this.known.set(venue, known)
    return known
  }

  private async sendVenue(venue: string): Promise<void> {
    const known = this.knownOf(venue)
    const round = ++this.round
    for (let after: string | null = ''; after !== null; ) {
      const page: { id: string; version: string }[] = await findRowVersions(this.pool, venue, after, versionsPerRead)
      const changed = page.filter(({ id, version }) => known.get(id)?.version !== version)
      await this.sendMarkets(
        venue,
        changed.map(({ id }) => id),
      )
      for (const { id, version } of page) known.set(id, { version, round })
      after = page.length < versionsPerRead ? null : page.at(-1)!.id
    }
    // A market that stopped trading is sent once in its final state, so that its fixture can become final, and then
    // ignored.
    const ended = [...known].filter(([, sent]) => sent.round !== round).map(([id]) => id)
    await this.sendMarkets(venue, ended)
    for (const id of ended) known.delete(id)
  }

  private async sendMarkets(venue: string, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += wordsPerRead) {
      const batch = ids.slice(at, at + wordsPerRead)
      const found = await findSportsWords(this.pool, venue, batch)
      const inputs = new Map(
        found.map(({ id, words }): [string, SportsInput | null] => [id, inputOf(venue, id, words)]),
      )
      const readable = batch.flatMap((id) => inputs.get(id) ?? [])
      if (readable.length > 0) await this.thread.put(readable)
      const mute = batch.filter((id) => !inputs.get(id))
      if (mute.length > 0) await this.thread.drop(mute.map((marketId) => keyOf({ venue, marketId })))
    }
  }
}
