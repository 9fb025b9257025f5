// Variables that look like Crossbook's and are read by none of its programs: misspelled, or of another version.
import { givenVariables, knownVariables } from '#config'
import { nearestName } from '#core/didYouMean'
import { venueVariables } from './venueSettings.ts'

const prefix = 'CROSSBOOK_'
/** Read by the command line, docker-compose.yml and the project's own tests. */
const variablesOfOthers: ReadonlySet<string> = new Set([
  'CROSSBOOK_URL',
  'CROSSBOOK_WALLET_KEY',
  'CROSSBOOK_API_KEY',
  'CROSSBOOK_POSTGRES_PASSWORD',
  'CROSSBOOK_CLICKHOUSE_PASSWORD',
  'CROSSBOOK_GRAFANA_PASSWORD',
  'CROSSBOOK_CHAOS_MINUTES',
  'CROSSBOOK_BENCH_SHORT',
])
const testPrefix = 'CROSSBOOK_TEST_'

/** A line for each, with the known name that was probably meant. */
export function unknownVariables(given: readonly string[] = givenVariables()): string[] {
  const names = new Set([...knownVariables, ...venueVariables()])
  const isKnown = (name: string): boolean =>
    names.has(name) || variablesOfOthers.has(name) || name.startsWith(testPrefix)
  const bare = [...names].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  return given
    .filter((name) => name.startsWith(prefix) && !isKnown(name))
    .toSorted()
    .map((name) => {
      const nearest = nearestName(name.slice(prefix.length), bare)
      return `${name}: is not known, and has no effect${nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`}`
    })
}
