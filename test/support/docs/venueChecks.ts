// What was last checked for each venue, against which source, and when: the table of docs/venues.md, generated from
// src/venues/lastChecked.json.
// `npm run docs:venues` writes it.
import { readFileSync, writeFileSync } from 'node:fs'

export interface VenueCheck {
  what: string
  source: string
  /** Of the source: a day or a month; null: undated. */
  date: string | null
  /** The fact sheet with this source, and the text that identifies it there. */
  sheet: string
  quote: string
}

export interface VenueChecks {
  /** Newest evidence by kind. */
  seenUntil: { repositories: string; documentation: string; npm: string }
  venues: Readonly<Record<string, { checked: string; sources: VenueCheck[]; note?: string }>>
}

const table = new URL('../../../src/venues/lastChecked.json', import.meta.url)
export const venuesPage = new URL('../../../docs/venues.md', import.meta.url)
const [begins, ends] = ['<!-- made by npm run docs:venues -->', '<!-- end -->']

export const readVenueChecks = (): VenueChecks => JSON.parse(readFileSync(table, 'utf8')) as VenueChecks

export function venueChecksTable({ seenUntil, venues }: VenueChecks): string {
  const rows = Object.entries(venues).map(([slug, { checked, sources, note }]) => {
    const checks = sources.map(({ what, source, date }) => `${what}: ${source} (${date ?? 'undated'})`).join('; ')
    return `| \`${slug}\` | ${checked} | ${checks}${note === undefined ? '' : `; ${note}`} |`
  })
  return [
    `No test calls a venue, so changes after these sources have not been seen. The newest evidence for any venue: public repositories of ${seenUntil.repositories}, documentation of ${seenUntil.documentation}, npm packages of ${seenUntil.npm}.`,
    '',
    '| venue | last checked | what was checked against which source (date of the source) |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
}

/** The page with the current table. */
export function withVenueChecks(page: string): string {
  const [from, to] = [page.indexOf(begins), page.indexOf(ends)]
  if (from < 0 || to < from) throw new Error('docs/venues.md has no place for the table of checks')
  return `${page.slice(0, from + begins.length)}\n\n${venueChecksTable(readVenueChecks())}\n\n${page.slice(to)}`
}

if (import.meta.main === true || process.argv[1]?.endsWith('venueChecks.ts') === true)
  writeFileSync(venuesPage, withVenueChecks(readFileSync(venuesPage, 'utf8')))
