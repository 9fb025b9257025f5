// Listed games into real ones. Every distinct listing is a node; nodes that are alike are joined, the surest first, unless something in the two
// groups contradicts it. Only what is connected with a change is joined anew.

import { teamName } from '#matching/teams'
import { spelling, stem } from '#matching/text'
import type { Game } from './game.ts'
import { contradicts, type Likeness, likeness, namesDiffer } from './sameGame.ts'

/** Listings looked at for one: those of its day and its neighbours that share a word of a name. */
const candidatesMax = 1_000

interface Node {
  key: string
  game: Game
  tokens: string[]
  edges: Map<string, Likeness>
  group: Group | null
}

export interface Group {
  /** Sorted. */
  keys: string[]
  /** Fits two games equally: it belongs to neither. */
  ambiguous: boolean
}

/** One listing of a game by a venue, however many markets say it. */
export const gameKey = ({ venue, sport, competition, division, sides, home, kickoff }: Game): string =>
  JSON.stringify([venue, sport, competition, division, sides[0].words, sides[1].words, home, kickoff.at ?? kickoff.day])

export class GameGroups {
  private readonly nodes = new Map<string, Node>()
  private readonly byToken = new Map<string, Set<string>>()
  private readonly dirty = new Set<string>()
  private gone: Group[] = []

  put(key: string, game: Game): void {
    if (this.nodes.has(key)) return
    const node: Node = { key, game, tokens: tokensOf(game), edges: new Map(), group: null }
    this.nodes.set(key, node)
    for (const token of node.tokens) {
      const keys = this.byToken.get(token)
      if (keys === undefined) this.byToken.set(token, new Set([key]))
      else keys.add(key)
    }
    this.dirty.add(key)
  }

  drop(key: string): void {
    const node = this.nodes.get(key)
    if (node === undefined) return
    this.nodes.delete(key)
    this.dirty.delete(key)
    for (const token of node.tokens) {
      const keys = this.byToken.get(token)!
      keys.delete(key)
      if (keys.size === 0) this.byToken.delete(token)
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

  /** Groups that ended and those that begin, since the last call. */
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
    for (const key of this.candidatesOf(node)) {
      const other = this.nodes.get(key)!
      if (node.edges.has(key)) continue
      const like = likeness(node.game, other.game)
      if (like === null) continue
      node.edges.set(key, like)
      other.edges.set(node.key, { ...like })
    }
  }

  private candidatesOf({ key, game, tokens }: Node): Set<string> {
    const found = new Set<string>()
    for (const token of tokens) {
      const word = token.slice(token.indexOf(':') + 1)
      for (const day of [game.kickoff.day, game.kickoff.day - 1, game.kickoff.day + 1])
        for (const other of this.byToken.get(`${day}:${word}`) ?? []) {
          if (other !== key) found.add(other)
          if (found.size >= candidatesMax) return found
        }
    }
    return found
  }

  /** Everything that is connected with it, and what shared a group with that. */
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
  const ambiguous = new Set(component.filter((node) => fitsTwo(node, byKey)).map(({ key }) => key))
  const edges = component
    .flatMap(({ key, edges: all }) =>
      [...all].filter(([other]) => key < other).map(([other, like]) => ({ a: key, b: other, ...like })),
    )
    .filter(({ a, b }) => !ambiguous.has(a) && !ambiguous.has(b))
    .sort((x, y) => order(x, y) || (x.a < y.a ? -1 : x.a > y.a ? 1 : x.b < y.b ? -1 : 1))
  for (const { a, b, weak } of edges) {
    const [mine, other] = [groups.get(a)!, groups.get(b)!]
    if (mine === other) continue
    if (weak && (isTaken(mine, other) || isTaken(other, mine))) continue
    if (mine.some((one) => other.some((two) => contradicts(one.game, two.game) || namesDiffer(one.game, two.game))))
      continue
    const joined = [...mine, ...other]
    for (const { key } of joined) groups.set(key, joined)
  }
  return [...new Set(groups.values())].map((nodes) => ({
    keys: nodes.map(({ key }) => key).sort(),
    ambiguous: nodes.every(({ key }) => ambiguous.has(key)),
  }))
}

const order = (x: Likeness, y: Likeness): number =>
  Number(x.weak) - Number(y.weak) || x.cost - y.cost || x.gapMs - y.gapMs

/** A half-read pair is none where either has another partner at the other's venue. */
function isTaken(group: readonly Node[], by: readonly Node[]): boolean {
  const own = new Set(by.map(({ key }) => key))
  const venues = new Set(by.map(({ game }) => game.venue))
  return group.some(({ edges }) =>
    [...edges].some(([key, { weak }]) => weak && !own.has(key) && venues.has(venueOf(key))),
  )
}

const venueOf = (key: string): string => (JSON.parse(key) as [string])[0]

/** A day without a time, and two games of these teams on it. */
function fitsTwo({ game, edges }: Node, byKey: ReadonlyMap<string, Node>): boolean {
  if (game.kickoff.at !== null) return false
  const timed = [...edges]
    .filter(([, { weak }]) => !weak)
    .flatMap(([key]) => byKey.get(key) ?? [])
    .filter((node) => node.game.kickoff.at !== null)
  return timed.some((one) => timed.some((two) => one.game.venue === two.game.venue && contradicts(one.game, two.game)))
}

/** `<day>:<word>`: what a listing can be found by. A short code is found by its ends, too: `andrub` is RUB. */
function tokensOf({ sides, kickoff: { day } }: Game): string[] {
  const tokens = new Set<string>()
  for (const { words } of sides) {
    const name = words.length === 1 ? teamName(words[0]!) : null
    for (const word of name === null ? words : [...words, ...name.toLowerCase().split(' ')]) {
      tokens.add(spelling(stem(word)))
      if (words.length === 1 && word.length <= 6 && word.length > 3) {
        tokens.add(word.slice(0, 3))
        tokens.add(word.slice(-3))
      }
    }
    // "psg"
    if (words.length > 1) tokens.add(words.map((word) => word[0]).join(''))
  }
  return [...tokens].map((token) => `${day}:${token}`)
}
