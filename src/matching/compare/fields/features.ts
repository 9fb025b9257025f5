// Fields with one spelling per value: equal lists agree, different lists are named and priced by kind.

import type { MatchDifference } from '../../match.ts'
import { type FeatureKind, featureKinds } from '../../read/features.ts'
import { placeOfWord } from '../../read/gazetteer.ts'
import type { Question } from '../../read/question.ts'

/** Deductions: both sides have the kind and differ; only one side has it. */
const costs: Readonly<Record<FeatureKind, readonly [conflict: number, oneSided: number, label: string]>> = {
  team: [60, 30, 'team'],
  district: [60, 30, 'district'],
  office: [45, 20, 'office'],
  scope: [45, 30, 'scope'],
  party: [60, 28, 'party'],
  place: [50, 14, 'place'],
  event: [45, 12, 'event'],
  stage: [45, 30, 'stage'],
  rank: [45, 30, 'rank'],
  period: [45, 35, 'period'],
  form: [45, 35, 'form'],
  group: [45, 30, 'group'],
  division: [45, 30, 'division'],
  league: [45, 0, 'league'],
  asset: [60, 26, 'asset'],
  metric: [45, 20, 'metric'],
  basis: [40, 11, 'basis'],
  decision: [60, 26, 'decision'],
  action: [40, 0, 'action'],
}

export function compareFeatures(a: Question, b: Question): MatchDifference[] {
  const out: MatchDifference[] = []
  const games = a.matchup !== null && b.matchup !== null
  const primary = primaryForNomination(a, b)
  if (primary) {
    out.push({ kind: 'stage', points: 16, detail: 'one asks who wins the primary, the other who becomes the nominee' })
  }
  for (const kind of featureKinds) {
    // Most kinds are on neither side.
    if (a.features[kind] === undefined && b.features[kind] === undefined) continue
    if (primary && (kind === 'stage' || kind === 'action')) continue
    const mine = a.features[kind] ?? []
    const other = b.features[kind] ?? []
    const onlyA = mine.filter((value) => !other.includes(value) && !(kind === 'place' && occursInsideName(b, value)))
    const onlyB = other.filter((value) => !mine.includes(value) && !(kind === 'place' && occursInsideName(a, value)))
    if (onlyA.length === 0 && onlyB.length === 0) continue
    const [conflict, oneSided, label] = costs[kind]
    if (onlyA.length > 0 && onlyB.length > 0) {
      // In a named game the tournament's stage is context, not the question.
      const points = games && (kind === 'stage' || kind === 'event' || kind === 'place') ? 12 : conflict
      out.push({
        kind: label,
        points,
        detail: `${label}: ${a.venue} says ${onlyA.join(', ')}, ${b.venue} says ${onlyB.join(', ')}`,
      })
      continue
    }
    const [who, silent, values] = onlyA.length > 0 ? [a, b, onlyA] : [b, a, onlyB]
    const points = oneSidedPoints(
      kind,
      values,
      oneSided,
      games,
      !games &&
        [a, b].some(
          (q) => q.features.group !== undefined || /cup|champions|finals|euro/.test(q.features.event?.join() ?? ''),
        ),
    )
    if (points > 0)
      out.push({
        kind: label,
        points,
        detail: `${label}: only ${who.venue} says ${values.join(', ')}, ${silent.venue} does not`,
      })
  }
  return out
}

/** The place also occurs there, among the words of a name. */
export const occursInsideName = (q: Question, place: string): boolean =>
  q.rest.some((word) => placeOfWord(word.text) === place)

function oneSidedPoints(
  kind: FeatureKind,
  values: readonly string[],
  points: number,
  games: boolean,
  team: boolean,
): number {
  // A US venue omits its own country.
  if (kind === 'place' && values.every((value) => value === 'us')) return 3
  // Where countries play, the place is the participant.
  if (kind === 'place' && (team || values.length > 1)) return 28
  // Degrees without a letter are Fahrenheit.
  if (kind === 'basis' && values.includes('celsius')) return 40
  if (kind === 'event' && values.every((value) => value === 'midterms' || value.startsWith('congress-'))) return 2
  if (
    games &&
    (kind === 'stage' ||
      kind === 'event' ||
      kind === 'place' ||
      kind === 'team' ||
      kind === 'action' ||
      kind === 'group')
  )
    return 3
  return points
}

/** Winning a party's primary nearly always means the nomination; not always. */
export function primaryForNomination(a: Question, b: Question): boolean {
  const nominee = (q: Question): boolean => q.features.action?.includes('nominee') === true
  const primary = (q: Question): boolean =>
    q.features.stage?.join() === 'primary' && q.features.action?.join() === 'win'
  return (
    (nominee(a) && a.features.stage === undefined && primary(b)) ||
    (nominee(b) && b.features.stage === undefined && primary(a))
  )
}
