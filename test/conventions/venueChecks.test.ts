// The last check of each venue in docs/venues.md, compared with the table that it is made from, and that with the fact sheets.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readVenueChecks, venuesPage, withVenueChecks } from '#test/support/docs/venueChecks'
import { registry } from '#venues/registry'

const checks = readVenueChecks()
const sheets = new URL('../../../shared/facts/', import.meta.url)
const hasSheets = existsSync(sheets)
const sheet = (name: string): string => readFileSync(new URL(name, sheets), 'utf8')
const changes = 'venue-changes-2026-11.md'
const days = /20\d\d-\d\d-\d\d(?!\d)/g

it('every venue is in the table', () => {
  expect(Object.keys(checks.venues).sort()).toEqual(
    Object.values(registry)
      .map(({ slug }) => slug)
      .sort(),
  )
})

it('the page is the one made from the table (npm run docs:venues)', () => {
  const page = readFileSync(venuesPage, 'utf8')
  expect(page).toBe(withVenueChecks(page))
})

describe.skipIf(!hasSheets)(`the fact sheets (../shared/facts${hasSheets ? '' : ' is absent'})`, () => {
  it.each(Object.entries(checks.venues))('%s: name each source with its date', (_, { sources }) => {
    expect(sources.length).toBeGreaterThan(0)
    for (const { sheet: name, quote, date } of sources) {
      const lines = sheet(name)
        .split('\n')
        .filter((line) => line.includes(quote))
      expect(lines, quote).not.toEqual([])
      if (date !== null)
        expect(
          lines.some((line) => line.includes(date)),
          `${quote} of ${date}`,
        ).toBe(true)
    }
  })

  it.each(Object.entries(checks.venues))('%s: have no source newer than those of the table', (slug, { sources }) => {
    const [, listed = ''] = /^## (?:0\. )?Sources?[^\n]*\n(.*?)(?=^## )/ms.exec(sheet(`venues/${slug}.md`)) ?? []
    expect(listed).not.toBe('')
    const newest = [...listed.matchAll(days)]
      .map(([day]) => day)
      .sort()
      .at(-1)
    const newestChecked = sources
      .map(({ date }) => date ?? '')
      .sort()
      .at(-1)!
    if (newest !== undefined) expect(newestChecked >= newest, `${newest} is newer than ${newestChecked}`).toBe(true)
  })

  it('name the newest clients and the newest evidence as the table does', () => {
    const text = sheet(changes)
    const [clients = ''] = /^\*\*PyPI is newer than npm\*\*.*$/m.exec(text) ?? []
    const named = [...clients.matchAll(/([a-z\d-]+ [\d.]+) \((20\d\d-\d\d-\d\d)\)/g)]
    expect(named.length).toBeGreaterThan(3)
    const sources = Object.values(checks.venues).flatMap((venue) => venue.sources)
    for (const [, client, date] of named)
      expect(
        sources.some((each) => each.source.startsWith(client!) && each.date === date),
        `${client} of ${date}`,
      ).toBe(true)
    const { repositories, documentation, npm } = checks.seenUntil
    expect(text).toContain(`public repositories up to about ${repositories}`)
    expect(text).toContain(`documentation pages up to about ${documentation}`)
    expect(text).toContain(`npm packages up to about ${npm}`)
  })

  it('were collected in the month that the table gives', () => {
    for (const [slug, { checked }] of Object.entries(checks.venues)) {
      // Sheets without a month are covered by the comparison of all venues.
      const texts = [sheet(`venues/${slug}.md`), sheet(changes)]
      const [, year] =
        texts.map((text) => /(?:[Cc]ollected|up to) Nov(?:ember)? (\d{4})/.exec(text)).find((found) => found) ?? []
      expect([slug, checked]).toEqual([slug, `${year}-11`])
    }
  })
})
