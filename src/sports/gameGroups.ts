// Groups listings into real games. Every distinct listing is a node; similar nodes are joined, the most certain first, unless something in the
// two groups contradicts it. Only what is connected with a change is regrouped.

import {
  contradicts,
  namesConflict,
  oneTeamIdentifiesGame,
  type Similarity,
  similarity,
} from '#matching/compare/games/sameGame'
import type { Game, Side } from '#matching/read/games/game'
import { teamName } from '#matching/read/teams'
import { canonicalSpelling, stem } from '#matching/read/text'
import { pairOf, unpairedOutcomes } from './doubleheader.ts'

/** Candidates per listing: those of its day and its neighbours that share a word of a name. */
const candidatesMax = 1_000
/** Listings of one day that share a word; with more the word is not distinctive. */
const commonMin = 200

interface Node {
  key: string
  game: Game
  /** Of each side. */
  tokens: [Set<string>, Set<string>]
  edges: Map<string, Similarity>
  group: Group | null
}

export interface Group {
  /** Sorted. */
  keys: string[]
  /** Fits two games equally: it belongs to neither. */
  ambiguous: boolean
}

/** One listing of a game by a venue, with any number of markets. */
export const formatGameKey = ({ venue, sport, competition, division, sides, home, kickoff, nth }: Game): string =>
  JSON.stringify([
    venue,
    sport,
    competition,
    division,
    sides[0].words,
    sides[1].words,
    home,
    kickoff.at ?? kickoff.day,
    nth ?? 0,
  ])

export class GameGroups {
  private readonly nodes = new Map<string, Node>()
  private readonly byToken = new Map<string, Set<string>>()
  private readonly dirty = new Set<string>()
  private gone: Group[] = []

  put(key: string, game: Game): void {
    if (this.nodes.has(key)) return
    const tokens: Node['tokens'] = [tokensOf(game.sides[0], game.sport), tokensOf(game.sides[1], game.sport)]
    const node: Node = { key, game, tokens, edges: new Map(), group: null }
    this.nodes.set(key, node)
    for (const place of placesOf(node)) {
      const keys = this.byToken.get(place)
      if (keys === undefined) this.byToken.set(place, new Set([key]))
      else keys.add(key)
    }
    this.dirty.add(key)
  }

  drop(key: string): void {
    const node = this.nodes.get(key)
    if (node === undefined) return
    this.nodes.delete(key)
    this.dirty.delete(key)
    for (const place of placesOf(node)) {
      const keys = this.byToken.get(place)!
      keys.delete(key)
      if (keys.size === 0) this.byToken.delete(place)
    }
    for (const other of node.edges.keys()) {
      this.nodes.get(other)?.edges.delete(key)
      this.dirty.add(other)
    }
    if (node.group !== null) {
      this.gone.push(node.group)
      for (const member of node.group.keys) if (this.nodes.has(member)) this.dirty.add(member)
    }
  }

  /** Of a listing that was settled. */
  groupOf(key: string): Group {
    return this.nodes.get(key)!.group!
  }

  /** Groups that ended and those that began, since the last call. */
  settle(): { ended: Group[]; begun: Group[] } {
    for (const key of this.dirty) if (this.nodes.get(key)!.group === null) this.connect(this.nodes.get(key)!)
    const ended = new Set(this.gone)
    const begun: Group[] = []
    const seen = new Set<string>()
    for (const key of this.dirty) {
      if (seen.has(key)) continue
      const component = this.componentOf(key, seen)
      for (const { group } of component) if (group !== null) ended.add(group)
      for (const group of groupsOf(component)) {
        begun.push(group)
        for (const member of group.keys) this.nodes.get(member)!.group = group
      }
    }
    this.dirty.clear()
    this.gone = []
    return { ended: [...ended], begun }
  }

  private connect(node: Node): void {
    for (const other of this.candidatesOf(node)) {
      if (node.edges.has(other.key)) continue
      const like = similarity(node.game, other.game)
      if (like === null) continue
      node.edges.set(other.key, like)
      other.edges.set(node.key, { ...like })
    }
  }

  private candidatesOf(node: Node): Node[] {
    const seen = new Set([node.key])
    const found: Node[] = []
    for (const place of this.distinctivePlaces(node)) {
      for (const key of this.byToken.get(place) ?? []) {
        if (seen.has(key)) continue
        seen.add(key)
        const other = this.nodes.get(key)!
        if (mayBeOne(node, other)) found.push(other)
        if (found.length >= candidatesMax) return found
      }
    }
    return found
  }

  /** Where to look on its day and the two adjacent ones. A "State" shared by hundreds is only used for a team with no other name. */
  private distinctivePlaces({ tokens, game }: Node): string[] {
    return [-1, 0, 1].flatMap((shift) =>
      tokens.flatMap((side) => {
        const places = [...side].map((token) => `${game.kickoff.day + shift}:${token}`)
        const size = (place: string): number => this.byToken.get(place)?.size ?? 0
        const distinctive = places.filter((place) => size(place) <= commonMin)
        return distinctive.length > 0
          ? distinctive
          : [places.reduce((best, each) => (size(each) < size(best) ? each : best))]
      }),
    )
  }

  /** Everything connected with it, and everything that shared a group with that. */
  private componentOf(key: string, seen: Set<string>): Node[] {
    const component: Node[] = []
    const open = [key]
    while (open.length > 0) {
      const next = open.pop()!
      if (seen.has(next)) continue
      seen.add(next)
      const node = this.nodes.get(next)!
      component.push(node)
      open.push(...node.edges.keys())
      for (const member of node.group?.keys ?? []) if (this.nodes.has(member)) open.push(member)
    }
    return component.sort((a, b) => (a.key < b.key ? -1 : 1))
  }
}

function groupsOf(component: readonly Node[]): Group[] {
  const groups = new Map<string, Node[]>(component.map((node) => [node.key, [node]]))
  const byKey = new Map(component.map((node) => [node.key, node]))
  const apart = unpairedOutcomes(component)
  const ambiguous = new Set(component.filter((node) => fitsTwo(node, byKey, apart)).map(({ key }) => key))
  const edges = component
    .flatMap(({ key, edges: all }) =>
      [...all].filter(([other]) => key < other).map(([other, like]) => ({ a: key, b: other, ...like })),
    )
    .filter(({ a, b }) => !ambiguous.has(a) && !ambiguous.has(b) && !apart.has(pairOf(a, b)))
    .sort((x, y) => order(x, y) || (x.a < y.a ? -1 : x.a > y.a ? 1 : x.b < y.b ? -1 : 1))
  for (const { a, b, weak } of edges) {
    const [mine, other] = [groups.get(a)!, groups.get(b)!]
    if (mine === other) continue
    if (weak && (isTaken(mine, other) || isTaken(other, mine))) continue
    if (mine.some((one) => other.some((two) => apart.has(pairOf(one.key, two.key)) || areApart(one.game, two.game))))
      continue
    const joined = [...mine, ...other]
    for (const { key } of joined) groups.set(key, joined)
  }
  return [...new Set(groups.values())].map((nodes) => ({
    keys: nodes.map(({ key }) => key).sort(),
    ambiguous: nodes.every(({ key }) => ambiguous.has(key)),
  }))
}

const areApart = (a: Game, b: Game): boolean => contradicts(a, b) || namesConflict(a, b)

const order = (x: Similarity, y: Similarity): number =>
  Number(x.weak) - Number(y.weak) || x.cost - y.cost || x.gapMs - y.gapMs

/** A half-read pair does not count if either has another partner at the other's venue. */
function isTaken(group: readonly Node[], by: readonly Node[]): boolean {
  const own = new Set(by.map(({ key }) => key))
  const venues = new Set(by.map(({ game }) => game.venue))
  return group.some(({ edges }) =>
    [...edges].some(([key, { weak }]) => weak && !own.has(key) && venues.has(venueOf(key))),
  )
}

const venueOf = (key: string): string => (JSON.parse(key) as [string])[0]

/** Two games of these teams fit it about equally: two on one day that a venue distinguishes, or two sports when its own is unknown. */
function fitsTwo(
  { key: own, game, edges }: Node,
  byKey: ReadonlyMap<string, Node>,
  apart: ReadonlySet<string>,
): boolean {
  const near = [...edges]
    .filter(([key, { weak }]) => !weak && !apart.has(pairOf(own, key)))
    .flatMap(([key, { gapMs }]) => {
      const node = byKey.get(key)
      return node === undefined ? [] : [{ game: node.game, gapMs }]
    })
  return near.some((one) =>
    near.some((two) => one.gapMs <= two.gapMs && two.gapMs < 2 * one.gapMs + 1 && areTwo(game, one.game, two.game)),
  )
}

function areTwo(game: Game, one: Game, two: Game): boolean {
  if (one.sport !== two.sport && one.sport !== null && two.sport !== null) return game.sport === null
  if (one.venue !== two.venue || !contradicts(one, two)) return false
  return (one.kickoff.at !== null && two.kickoff.at !== null) || (one.nth !== null && two.nth !== null)
}

/** Whether the two share a word on each side, or on one where that is enough: most that share a "State" or a "United" share nothing else. */
function mayBeOne(a: Node, b: Node): boolean {
  const shares = (one: 0 | 1, two: 0 | 1): boolean => [...a.tokens[one]].some((token) => b.tokens[two].has(token))
  const [aa, ab, ba, bb] = [shares(0, 0), shares(0, 1), shares(1, 0), shares(1, 1)]
  return (aa && bb) || (ab && ba) || (oneTeamIdentifiesGame(a.game.sport) && (aa || ab || ba || bb))
}

/** `<day>:<word>`: a listing's index entries. */
const placesOf = ({ tokens, game }: Node): string[] =>
  [...new Set([...tokens[0], ...tokens[1]])].map((token) => `${game.kickoff.day}:${token}`)

/** A side's search tokens. A short code is also found by its ends: `andrub` is RUB, and Andrey Rublev. */
function tokensOf({ words }: Side, sport: string | null): Set<string> {
  const tokens = new Set<string>()
  const [first, ...more] = words
  const name = more.length === 0 ? teamName(first!) : null
  for (const word of name === null ? words : [...words, ...name.toLowerCase().split(' ')])
    tokens.add(canonicalSpelling(stem(word)))
  if (more.length === 0 && first!.length > 3 && first!.length <= 6) {
    tokens.add(first!.slice(0, 3))
    tokens.add(first!.slice(-3))
  }
  // "psg"
  if (more.length > 0) tokens.add(words.map((word) => word[0]).join(''))
  if (more.length > 0 && oneTeamIdentifiesGame(sport)) {
    tokens.add(first!.slice(0, 3))
    tokens.add(more.at(-1)!.slice(0, 3))
  }
  return tokens
}
