// docs/sports.md: every URL on it returns a response, and it explains exactly the existing reasons and horizons. The page is run as printed
// against the demo by test/endToEnd/sports.test.ts.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { unplacedReasons } from '#sports/records'
import { freshness } from '#sports/rows'
import { tigersAtRoyals } from './markets.ts'
import { createSportsWorld } from './world.ts'

const page = readFileSync(new URL('../../../docs/sports.md', import.meta.url), 'utf8')

it('every curl of the page returns a response', async () => {
  const world = createSportsWorld(tigersAtRoyals)
  const id = world.idOf('Detroit Tigers v Kansas City Royals')
  const paths = [...page.matchAll(/"\$URL(\/[^"]*)"/g)].map((match) => match[1]!.replace('$ID', id))
  expect(paths.length).toBeGreaterThan(5)
  for (const path of paths) {
    const reply = await world.get(path)
    expect([path, reply.status]).toEqual([path, 200])
    expect(JSON.stringify(reply.json.data)).toContain('mlb')
  }
})

it('every reason and horizon is explained', () => {
  for (const reason of unplacedReasons) expect(page).toContain(`\`${reason}\``)
  expect(Object.values(freshness).map((ms) => ms / 60_000)).toEqual([10, 30, 120])
})
