// A Python strategy in a backtest: its process takes turns with the engine. Also that of docs/backtests.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BacktestReport } from '#backtest/report/report'
import { runBacktest } from '#backtest/runBacktest'
import { StrategyFailure } from '#backtest/strategy/host'
import { loadStrategy } from '#backtest/strategy/load'
import marketMaker from '#sdk/typescript/examples/market-maker'
import { backtest, gap, optionsOf, type World, wanderingTape } from '#test/support/backtest/world'
import { sampleOf } from '#test/support/docs/samples'
import { pythonDeadlineMs } from '#test/support/python/venv'
import { sdkPython, sdkRoot } from '#test/support/sdk/python'

const { python, reason } = await sdkPython('test', 'frames')
const source = join(sdkRoot, 'src')

let folder: string
const pathBefore = process.env.PYTHONPATH
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossbook-python-strategy-'))
  process.env.PYTHONPATH = source
})
afterAll(async () => {
  if (pathBefore === undefined) delete process.env.PYTHONPATH
  else process.env.PYTHONPATH = pathBefore
  await rm(folder, { recursive: true, force: true })
})

async function run(file: string, world: World): Promise<BacktestReport> {
  const strategy = await loadStrategy(file)
  const options = optionsOf(world, async () => undefined)
  return runBacktest({ ...options, strategy, python: python!.interpreter })
}

async function strategyFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

describe.skipIf(python === null)(
  `a Python strategy${reason === null ? '' : ` (${reason})`}`,
  { timeout: pythonDeadlineMs },
  () => {
    const world = () => ({ tape: wanderingTape(200), lastMs: 210_000, gaps: [gap(50_000, 60_000)] })

    it('trades like the same strategy in TypeScript, and the same seed gives the same report', async () => {
      const example = join(sdkRoot, 'examples/market_maker.py')
      const [first, again] = [await run(example, world()), await run(example, world())]
      expect(first.summary.fills).toBeGreaterThan(0)
      expect(again).toEqual(first)
      const { summary } = await backtest(world(), marketMaker)
      expect(first.summary).toMatchObject({ pnl: summary.pnl, fills: summary.fills, turnover: summary.turnover })
    })

    it('of the page runs', async () => {
      const { summary } = await run(
        await strategyFile('page.py', sampleOf('docs/backtests.md', 'from crossbook.models')),
        world(),
      )
      expect(summary.ended).toBe('returned')
    })

    it('sleeps in the time of the tape, with its own clock and asyncio’s', async () => {
      const text = `import asyncio
async def strategy(ctx):
    began = ctx.clock.now()
    await asyncio.sleep(2.5)
    ctx.log("asyncio", at=ctx.clock.now() - began)
    await ctx.clock.sleep(1)
    ctx.log("clock", at=ctx.clock.now() - began)
    await ctx.clock.sleep(100000)
    ctx.log("over", at=ctx.clock.now() - began, over=ctx.over.is_set())
`
      const { log } = await run(await strategyFile('sleeps.py', text), world())
      expect(log.map(({ message, data }) => [message, data])).toEqual([
        ['asyncio', { at: 2_500 }],
        ['clock', { at: 3_500 }],
        ['over', { at: 210_000, over: true }],
      ])
    })

    it('that raises ends the run with its traceback', async () => {
      const text = 'async def strategy(ctx):\n    await ctx.clock.sleep(1)\n    raise ValueError("no quote")\n'
      const failure = await run(await strategyFile('raises.py', text), world()).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(StrategyFailure)
      expect(failure).toMatchObject({ message: 'the strategy failed: ValueError: no quote' })
      expect((failure as StrategyFailure).strategyStack).toContain('raises.py", line 3, in strategy')
    })

    it('that defines no strategy is refused', async () => {
      const file = await strategyFile('empty.py', 'x = 1\n')
      await expect(run(file, world())).rejects.toThrow('defines no `async def strategy(ctx)`')
    })
  },
)
