// Who settles. If the source is the answer (a thermometer, an exchange's price) an unnamed one is a difference; elsewhere only a contradiction is.
import { blocking, type MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'

export function compareSettlement(a: Question, b: Question): { differences: MatchDifference[]; audit: string[] } {
  const measured = a.domain === 'weather' || a.domain === 'price' || b.domain === 'weather' || b.domain === 'price'
  const audit: string[] = []
  if (a.venue === b.venue || (a.rules !== '' && a.rules === b.rules))
    return { differences: [], audit: ['both settle by the same rules text'] }
  const mine = a.settlement
  const other = b.settlement
  const text = `${a.venue} names ${listed(mine.sources)}, ${b.venue} names ${listed(other.sources)}`
  const differences: MatchDifference[] = []
  if (mine.sources.length > 0 && other.sources.length > 0) {
    const common = mine.sources.filter((source) => other.sources.includes(source))
    if (common.length === 0)
      differences.push({ kind: 'source', points: measured ? 30 : 12, detail: `settlement source: ${text}` })
    else audit.push(`both name ${common.join(', ')} as a source`)
  } else if (measured) {
    // A level touched on one exchange is touched on the others; titles alone then leave little open.
    const touched = a.rules === '' && b.rules === '' && touches(a) && touches(b)
    differences.push({ kind: 'source', points: touched ? 3 : blocking + 1, detail: `settlement source: ${text}` })
  } else {
    audit.push(`settlement source: ${text}`)
  }
  if (mine.stations.length > 0 && other.stations.length > 0) {
    if (mine.stations.some((station) => other.stations.includes(station))) audit.push('both read the same station')
    else
      differences.push({
        kind: 'station',
        points: a.domain === 'weather' ? 35 : 12,
        detail: `station: ${a.venue} reads ${mine.stations.join(', ')}, ${b.venue} reads ${other.stations.join(', ')}`,
      })
  } else if (a.domain === 'weather' || b.domain === 'weather') {
    differences.push({
      kind: 'station',
      points: blocking,
      detail: `station: ${a.venue} names ${listed(mine.stations)}, ${b.venue} names ${listed(other.stations)}`,
    })
  }
  for (const each of [a, b]) if (each.rules === '') audit.push(`no rules text of ${each.venue} was given`)
  return { differences, audit }
}

const touches = ({ domain, intervals }: Question): boolean =>
  domain === 'price' && intervals.length > 0 && intervals.every(({ touch }) => touch)

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))
