// docs/sports.md as printed, against the demo: simulated games, found by the engine, priced by their live books.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isLong } from '#test/support/shortRuns'
import { blocksIn, type PrintedDemo, root, startPrintedDemo } from './printedDemo.ts'

describe.runIf(isLong)('docs/sports.md (the page against the demo: one day in six, and in long runs)', () => {
  let demo: PrintedDemo
  beforeAll(async () => {
    demo = await startPrintedDemo()
  }, 120_000)
  afterAll(() => demo?.stop())

  it('prints games of both venues with their prices', async () => {
    const [script] = blocksIn(readFileSync(join(root, 'docs/sports.md'), 'utf8'))
    // The first catalog walk and the first pass finish after the ready line.
    await vi.waitFor(
      async () => {
        const lines = (await demo.shell(script!.replaceAll('curl -sf', "curl -sf -w '\\n'"))).trim().split('\n')
        const [facets, fixtures, screen, fixture, compared] = lines.map((line) => JSON.parse(line))
        expect(facets.data.sports[0].sport).toBe('baseball')
        expect(fixtures.data[0].venues).toEqual(['kalshi', 'polymarket'])
        expect(screen.data[0].market.outcomes[0].best.price).toBeGreaterThan(0)
        expect(fixture.data.placements.length).toBeGreaterThan(2)
        expect(compared.data.lines[0].outcomes[0].noVig).toBeGreaterThan(0)
      },
      { timeout: 90_000, interval: 1_000 },
    )
  }, 120_000)
})
