// Questions that leave out what they are about: which outcome of an event, which game. Equal words then prove nothing.
import type { MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import { isMeasure } from '../../read/vocabulary.ts'

export function compareCompleteness(a: Question, b: Question): MatchDifference[] {
  const out: MatchDifference[] = []
  const open = [a, b].filter((each) => each.open)
  if (open.length > 0) {
    // An open question against one that names its outcome is an event against one of its markets.
    out.push({
      kind: 'outcome',
      points: open.length === 2 ? 14 : 28,
      detail: `outcome: ${open.map((each) => each.venue).join(' and ')} asks an open question and names no outcome`,
    })
  }
  if (a.matchup === null && b.matchup === null && gameBound(a) && gameBound(b)) {
    const unnamed = [a, b].filter((each) => !named(each))
    if (unnamed.length > 0)
      out.push({
        kind: 'game',
        points: 14,
        detail: `game: ${unnamed.map((each) => each.venue).join(' and ')} names no participant`,
      })
    const undated = [a, b].filter(
      (each) =>
        each.dates.length === 0 &&
        each.years.idDay === null &&
        each.features.event === undefined &&
        each.years.id === null,
    )
    if (undated.length > 0)
      out.push({
        kind: 'game',
        points: 12,
        detail: `game: ${undated.map((each) => each.venue).join(' and ')} does not say which game or season`,
      })
  }
  return out
}

/** Counts goals or halves: part of some game. */
const gameBound = (q: Question): boolean =>
  q.features.period !== undefined || (q.intervals.length > 0 && q.rest.some((word) => isGameMeasure(word.text)))
const isGameMeasure = (word: string): boolean =>
  isMeasure(word) && !/^(?:seat|vote|death|case|hospitalization|storm|hurricane|earthquake|cut|hike)s?$/.test(word)
const named = (q: Question): boolean =>
  q.rest.some((word) => word.name) ||
  q.features.team !== undefined ||
  q.features.place !== undefined ||
  q.features.event !== undefined
