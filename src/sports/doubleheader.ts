// Two games of the same teams on one day, which one venue numbers and another distinguishes by time. The earlier one is the first: if a venue has
// exactly two times, a number is one of them, and no longer fits both.

import { contradicts, type Similarity } from '#matching/compare/games/sameGame'
import type { Game } from '#matching/read/games/game'

interface Listing {
  key: string
  game: Game
  edges: ReadonlyMap<string, Similarity>
}

/** Keys contain no such character: they are JSON. */
export const pairOf = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`)

/** Similar pairs, and two games by their order. */
export function unpairedOutcomes(component: readonly Listing[]): ReadonlySet<string> {
  const byKey = new Map(component.map((listing) => [listing.key, listing]))
  const apart = new Set<string>()
  for (const { key, game, edges } of component) {
    if (game.nth === null || game.kickoff.at !== null) continue
    const timed = [...edges]
      .filter(([, { weak }]) => !weak)
      .flatMap(([other]) => byKey.get(other) ?? [])
      .filter((other) => other.game.nth === null && other.game.kickoff.at !== null)
    for (const venue of new Set(timed.map((each) => each.game.venue))) {
      const [first, second, ...more] = timed
        .filter((each) => each.game.venue === venue)
        .sort((a, b) => a.game.kickoff.at! - b.game.kickoff.at!)
      if (second === undefined || more.length > 0 || !contradicts(first!.game, second.game)) continue
      const [own, other] = game.nth === 1 ? [first!, second] : [second, first!]
      for (const each of timed)
        if (each === other || (contradicts(each.game, own.game) && !contradicts(each.game, other.game)))
          apart.add(pairOf(key, each.key))
    }
  }
  return apart
}
