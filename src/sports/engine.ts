// Incremental engine: given the new, changed and deleted markets, it rebuilds only the affected fixtures. Runs on a worker thread; nothing
// here reads a clock or a store.
import { createHash } from 'node:crypto'
import { classify } from '#matching/read/games/classify'
import type { Game } from '#matching/read/games/game'
import { keyOf, type SportsInput, textOf } from '#matching/read/games/input'
import { readGame } from '#matching/read/games/readGame'
import { type Bet, type NoBet, readBet } from './bet.ts'
import { fixtureOf, type Listed } from './fixture.ts'
import { formatGameKey, GameGroups, type Group } from './gameGroups.ts'
import type { FixtureHead, FixtureRecord, SportsTotals, UnplacedReason } from './records.ts'

/** A game that began this long ago is removed: the longest window that can be requested, plus a day. */
export const retentionDays = 32

export interface SportsAnswer {
  /** New and changed ones. */
  changed: FixtureRecord[]
  removed: string[]
  totals: SportsTotals
}

interface KnownMarket {
  venue: string
  marketId: string
  /** Null: it is about sports, but not about a game. */
  gameKey: string | null
  reason: UnplacedReason | null
  bet: Bet | NoBet
  open: boolean
  venueStatus: FixtureHead['said']
}

export class SportsEngine {
  private readonly known = new Map<string, KnownMarket>()
  private readonly marketsByGame = new Map<string, Set<string>>()
  private readonly games = new Map<string, Game>()
  private readonly groups = new GameGroups()
  private readonly fixtures = new Map<string, { group: Group; digest: string; blocks: number }>()
  private readonly idOf = new Map<Group, string>()
  /** Market → its fixture when last reported: fixture ids survive a restart. */
  private readonly fixtureIds = new Map<string, string>()
  private readonly touched = new Set<string>()

  /** Placements made before this process started; call before the first `run`. */
  restorePlacements(placed: readonly { key: string; fixtureId: string }[]): void {
    for (const { key, fixtureId } of placed) this.fixtureIds.set(key, fixtureId)
  }

  upsert(inputs: readonly SportsInput[]): void {
    for (const input of inputs) this.upsertOne(input)
  }

  remove(keys: readonly string[]): void {
    for (const key of keys) this.removeOne(key)
  }

  /** `today`: days since 1970. */
  run(today: number): SportsAnswer {
    for (const [gameKey, { kickoff }] of this.games)
      if (kickoff.day < today - retentionDays) this.remove([...this.marketsByGame.get(gameKey)!])
    const { ended, begun } = this.groups.settle()
    const removed = new Set<string>()
    for (const group of ended) {
      const id = this.idOf.get(group)
      this.idOf.delete(group)
      if (id !== undefined && this.fixtures.get(id)?.group === group) {
        this.fixtures.delete(id)
        removed.add(id)
      }
    }
    const due = new Set<Group>(begun)
    for (const [group] of this.idOf) if (group.keys.some((key) => this.touched.has(key))) due.add(group)
    this.touched.clear()
    const changed: FixtureRecord[] = []
    // Those with the most markets first: when a fixture splits, the larger part keeps the id.
    for (const group of [...due].sort(
      (a, b) => this.sizeOf(b) - this.sizeOf(a) || (a.keys[0]! < b.keys[0]! ? -1 : 1),
    )) {
      if (group.ambiguous) continue
      const record = this.build(group)
      removed.delete(record.head.fixtureId)
      const digest = digestOf(record)
      if (this.fixtures.get(record.head.fixtureId)?.digest !== digest) changed.push(record)
      this.fixtures.set(record.head.fixtureId, { group, digest, blocks: record.head.markets.length })
    }
    return { changed, removed: [...removed], totals: this.totals() }
  }

  private upsertOne(input: SportsInput): void {
    const key = keyOf(input)
    const classified = classify(input)
    if (classified === null) {
      this.removeOne(key)
      return
    }
    const game = readGame(input, classified)
    const common = {
      venue: input.venue,
      marketId: input.marketId,
      open: isOpen(input),
      venueStatus: venueStatusOf(input),
    }
    if (typeof game === 'string') {
      this.removeOne(key)
      this.known.set(key, { ...common, gameKey: null, reason: game, bet: 'market_type' })
      return
    }
    const gameKey = formatGameKey(game)
    if (this.known.get(key)?.gameKey !== gameKey) this.removeOne(key)
    const members = this.marketsByGame.get(gameKey)
    if (members === undefined) {
      this.marketsByGame.set(gameKey, new Set([key]))
      this.games.set(gameKey, game)
      this.groups.put(gameKey, game)
    } else members.add(key)
    this.known.set(key, {
      ...common,
      gameKey: gameKey,
      reason: null,
      bet: readBet(input, classified, this.games.get(gameKey)!),
    })
    this.touched.add(gameKey)
  }

  private removeOne(key: string): void {
    const known = this.known.get(key)
    if (known === undefined) return
    this.known.delete(key)
    if (known.gameKey === null) return
    this.touched.add(known.gameKey)
    const members = this.marketsByGame.get(known.gameKey)!
    members.delete(key)
    if (members.size > 0) return
    this.marketsByGame.delete(known.gameKey)
    this.games.delete(known.gameKey)
    this.groups.drop(known.gameKey)
  }

  private build(group: Group): FixtureRecord {
    const listed = group.keys.flatMap((gameKey) =>
      [...this.marketsByGame.get(gameKey)!].map((key): Listed => {
        const { venue, marketId, bet, open, venueStatus } = this.known.get(key)!
        return { venue, marketId, bet, open, venueStatus, game: this.games.get(gameKey)! }
      }),
    )
    const id = this.idOf.get(group) ?? this.newId(group)
    this.idOf.set(group, id)
    for (const each of listed) this.fixtureIds.set(keyOf(each), id)
    return fixtureOf(id, listed)
  }

  /** The id that most of its markets had before, unless another fixture has it by now. */
  private newId(group: Group): string {
    const counts = new Map<string, number>()
    for (const gameKey of group.keys)
      for (const key of this.marketsByGame.get(gameKey)!) {
        const before = this.fixtureIds.get(key)
        if (before !== undefined) counts.set(before, (counts.get(before) ?? 0) + 1)
      }
    const held = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id)
    const free = held.find((id) => !this.fixtures.has(id))
    if (free !== undefined) return free
    for (let round = 0; ; round++) {
      const id = fixtureIdOf(round === 0 ? group.keys[0]! : `${group.keys[0]!}#${round}`)
      if (!this.fixtures.has(id)) return id
    }
  }

  private sizeOf(group: Group): number {
    return group.keys.reduce((sum, gameKey) => sum + (this.marketsByGame.get(gameKey)?.size ?? 0), 0)
  }

  private totals(): SportsTotals {
    const totals: SportsTotals = { fixtures: this.fixtures.size, blocks: 0, placed: 0, unplaced: {} }
    for (const { blocks } of this.fixtures.values()) totals.blocks += blocks
    const ambiguous = new Set<string>()
    for (const gameKey of this.games.keys()) if (!this.isOnFixture(gameKey)) ambiguous.add(gameKey)
    for (const { gameKey, reason, bet } of this.known.values()) {
      const why = reason ?? (ambiguous.has(gameKey!) ? 'ambiguous_fixture' : typeof bet === 'string' ? bet : null)
      if (why === null) totals.placed++
      else totals.unplaced[why] = (totals.unplaced[why] ?? 0) + 1
    }
    return totals
  }

  private isOnFixture(gameKey: string): boolean {
    return !this.groups.groupOf(gameKey).ambiguous
  }
}

const fixtureIdOf = (key: string): string => `fx_${createHash('sha256').update(key).digest('hex').slice(0, 20)}`
const digestOf = (record: FixtureRecord): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('base64url')

/** It trades, or may again. */
const isOpen = ({ status }: SportsInput): boolean =>
  status === 'active' || status === 'inactive' || status === 'unknown'

/**
 * What its venue reports about the game itself. A market's trading status does not show that: a pool that is `Live` may be for a game next
 * week.
 */
function venueStatusOf({ metadata, eventMetadata }: SportsInput): FixtureHead['said'] {
  const words = [metadata.eventStatus, eventMetadata.gameStatus].flatMap((each) => textOf(each)?.toLowerCase() ?? [])
  if (words.some((word) => /cancel|abandon/.test(word))) return 'cancelled'
  if (words.some((word) => /postpone/.test(word))) return 'postponed'
  const isLive = (eventMetadata.live === true && eventMetadata.ended !== true) || eventMetadata.isLive === true
  return isLive || words.some((word) => /in.?game|in.?play|in.?progress|^live$/.test(word)) ? 'live' : null
}
