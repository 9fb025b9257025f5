// docs/option-prices.md as printed, against the demo: pools of the simulated chains, and the logs that change them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isLong } from '#test/support/shortRuns'
import { blocksIn, type PrintedDemo, root, startPrintedDemo } from './printedDemo.ts'

describe.runIf(isLong)('docs/option-prices.md (the page against the demo: one day in six, and in long runs)', () => {
  let demo: PrintedDemo
  beforeAll(async () => {
    demo = await startPrintedDemo('--venues', 'rain,myriad,limitless')
  }, 120_000)
  afterAll(() => demo?.stop())

  it('prints the venues, the prices of a pool of each chain, and the first reading caused by a log', async () => {
    const [script] = blocksIn(readFileSync(join(root, 'docs/option-prices.md'), 'utf8'))
    // The first catalog walk finishes after the ready line.
    await vi.waitFor(
      async () => {
        const [venues, ...lines] = (await demo.shell(script!)).trim().split('\n')
        expect(venues!.split(' ').sort()).toEqual(['limitless', 'myriad', 'rain'])
        const caused = lines.filter((line) => line.includes(' in block '))
        expect(caused).toHaveLength(2)
        expect(caused[0]).toMatch(/^20\S+Z (EnterOption|ExecuteBuyOrder) in block \d+ .+: 0\.\d+/)
        expect(caused[1]).toMatch(/^20\S+Z MarketActionTx in block \d+ .+: 0\.\d+/)
      },
      { timeout: 150_000, interval: 1_000 },
    )
  }, 200_000)
})
