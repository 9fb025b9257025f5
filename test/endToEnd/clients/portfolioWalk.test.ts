// CROSSBOOK_TEST_LONG=1: a position from its purchase to the statement of the month at six venues of the demo, by the example of each SDK.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDecimals, compareDecimals } from '#core/decimal'
import { prefillPostgres } from '#test/support/postgres'
import { pythonDeadlineMs } from '#test/support/python/venv'
import { sdkPython, sdkRoot } from '#test/support/sdk/python'
import { isLong } from '#test/support/shortRuns'
import { type PrintedDemo, root, startPrintedDemoIn } from '../printedDemo.ts'

const run = promisify(execFile)
const venues = ['gemini', 'hyperliquid', 'kalshi', 'limitless', 'opinion', 'polymarket']
const redeeming = ['limitless', 'opinion', 'polymarket']
const walkMs = 580_000

describe.runIf(isLong)('a walk through the portfolio', () => {
  let demo: PrintedDemo
  let env: Record<string, string>
  /** PnL of all runs so far, by venue. */
  const earned = new Map<string, string>()

  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-walk-'))
    await prefillPostgres(dataDir)
    // A resolution is known once the catalog is read again.
    const around = { ...process.env, CROSSBOOK_CATALOG_INTERVAL_MS: '20000' }
    demo = await startPrintedDemoIn({ project: root, dataDir, args: ['--venues', venues.join(',')], env: around })
    const { apiKey } = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')) as { apiKey: string }
    env = { CROSSBOOK_URL: demo.url, CROSSBOOK_KEY: apiKey, KEY: apiKey, DATA_DIR: dataDir, NODE: process.execPath }
    await demo.shell('npm run --silent sdk:build')
  }, 600_000)
  afterAll(() => demo?.stop(), 60_000)

  /** Of the lines that begin with `word`, in order of venues. */
  const lines = (printed: string, word: string): string[] =>
    printed
      .split('\n')
      .filter((line) => line.startsWith(`${word} `))
      .map((line) => line.slice(word.length + 1))
      .toSorted()

  function check(printed: string): void {
    const venuesOf = (word: string) => lines(printed, word).map((line) => line.split(' ')[0])
    expect(venuesOf('filled')).toEqual(venues)

    expect(venuesOf('position')).toEqual(venues)
    for (const line of lines(printed, 'position')) expect(line).toMatch(/^\w+ 100 /)

    // Whichever way a question goes, one of its two sides pays.
    const exposures = lines(printed, 'exposure').map((line) => / worst (\S+) best (\S+) /.exec(line)!)
    expect(exposures).toHaveLength(3)
    for (const [, worst, best] of exposures) {
      expect(best).toBe(worst)
      expect(compareDecimals(worst!, '0')).toBe(1)
    }

    expect(lines(printed, 'stop')).toEqual(
      venues.map((venue) => (venue === 'hyperliquid' ? `${venue} hosted fired` : `${venue} client canceled`)),
    )

    const resolved = lines(printed, 'resolved').map((line) => /^(\w+) pays ([01]) .* pnl (\S+)$/.exec(line)!)
    expect(resolved.map(([, venue]) => venue)).toEqual(venues)
    expect(resolved.filter(([, , pays]) => pays === '1')).toHaveLength(3)
    const known = resolved.filter(([, venue]) => venue !== 'limitless')
    for (const [, venue, , pnl] of known) earned.set(venue!, addDecimals(earned.get(venue!) ?? '0', pnl!))

    const paid = resolved.filter(([, venue]) => redeeming.includes(venue!))
    expect(lines(printed, 'redeemed')).toEqual(
      paid.map(([, venue, pays]) => `${venue} paid ${pays === '1' ? 100 : 0} unclaimed 0`),
    )

    // Cash, and what is held at its cost, less deposits is what was earned.
    for (const line of lines(printed, 'statement')) {
      const [, venue, pnl] = /^(\w+) .* = pnl (\S+)$/.exec(line) ?? []
      if (line.endsWith('unknown cost')) expect(line).toContain('limitless')
      else expect(compareDecimals(pnl!, earned.get(venue!)!), line).toBe(0)
    }
    expect(lines(printed, 'statement').map((line) => line.split(' ')[0])).toEqual(venues)
  }

  it(
    'with the TypeScript client',
    async () => {
      const script = join(root, 'sdk/typescript/examples/portfolio-walk.ts')
      const { stdout } = await run(process.execPath, [script], {
        cwd: root,
        env: { ...process.env, ...env },
        timeout: walkMs,
      })
      check(stdout)
    },
    walkMs + 10_000,
  )

  it(
    'with the Python client',
    async () => {
      const { python, reason } = await sdkPython('test')
      expect(python, reason ?? '').not.toBeNull()
      const source = { ...env, PYTHONPATH: join(sdkRoot, 'src') }
      const script = join(sdkRoot, 'examples/portfolio_walk.py')
      check(await python!.run([script], { env: source, timeoutMs: walkMs, cwd: root }))
    },
    walkMs + pythonDeadlineMs,
  )
})
