// `crossbook backtest` as a process, on files of days, and the samples of docs/backtests.md.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeDayFiles } from '#test/support/backtest/dayFiles'
import { marketId } from '#test/support/backtest/world'
import { sampleOf } from '#test/support/docs/samples'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const marketMaker = join(root, 'sdk/typescript/examples/market-maker.ts')
const rows = 400

let folder: string
let day: { files: string; catalog: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossbook-backtest-test-'))
  day = await writeDayFiles(folder, rows)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Ran {
  code: number
  out: string
  error: string
}

function run(strategy: string, given: Record<string, string> = {}): Promise<Ran> {
  const options = {
    ...{ strategy, from: '2026-11-01', to: '2026-11-01T00:10:00Z', markets: `kalshi:${marketId}`, seed: 'one' },
    ...{ ...day, out: join(folder, 'report'), ...given },
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'src/cli.mjs'), 'backtest', '--json', ...args],
      { cwd: root, timeout: 120_000 },
      (error, out, errorText) => resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, error: errorText }),
    )
  })
}

async function strategyFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** The commands of the page as printed, with files instead of a tape, and an address without a gateway. */
function runPrinted(): Promise<Ran> {
  const here = sampleOf('docs/backtests.md', 'npx crossbook backtest')
    .replaceAll('npx crossbook', `${process.execPath} ${join(root, 'src/cli.mjs')}`)
    .replaceAll('https://…', 'http://127.0.0.1:9')
    .replace('--seed 1\n', `--seed 1 --files ${day.files} --catalog ${day.catalog} --out printed\n`)
  return new Promise((resolve) => {
    execFile('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder, timeout: 120_000 }, (error, out, errorText) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, error: errorText }),
    )
  })
}

describe('crossbook backtest', { timeout: 180_000 }, () => {
  it('runs the example on the files of a day: the same seed, the same report', async () => {
    const first = await run(marketMaker)
    expect(first.error).toBe('')
    const summary = JSON.parse(first.out) as { fills: number; hash: string; tapeEvents: number; brier: number | null }
    expect(summary.fills).toBeGreaterThan(0)
    expect(summary.tapeEvents).toBeGreaterThan(rows)
    expect(summary.brier).not.toBeNull()
    const again = JSON.parse((await run(marketMaker)).out) as { hash: string }
    expect(again.hash).toBe(summary.hash)
    const report = JSON.parse(await readFile(join(folder, 'report/report.json'), 'utf8')) as { hash: string }
    expect(report.hash).toBe(summary.hash)
    expect(await readFile(join(folder, 'report/report.html'), 'utf8')).toContain(summary.hash)
  })

  it('exits with 1 and the stack of a strategy that throws', async () => {
    const text = `export default async function strategy({ clock }) {
  await clock.sleep(1000)
  throw new RangeError('no quote')
}
`
    const { code, error, out } = await run(await strategyFile('throws.mjs', text))
    expect(code).toBe(1)
    expect(error).toContain('the strategy failed: no quote')
    expect(error).toMatch(/RangeError: no quote\n\s+at .*strategy .*throws\.mjs/)
    expect(out).toBe('')
  })

  it('runs the strategy of its page with the commands of its page', async () => {
    const page = await strategyFile('page.ts', sampleOf('docs/backtests.md', 'import type { StrategyContext }'))
    expect(await run(page)).toMatchObject({ code: 0, error: '' })
    // The market maker would wait for its gateway.
    await strategyFile('market-maker.ts', "export default async ({ log }) => log('began', { size: 1n })\n")
    await strategyFile('keys.json', '{"kalshi":{"apiKeyId":"k","privateKeyPem":"p"}}')
    const { code, error, out } = await runPrinted()
    expect({ code, error }).toEqual({ code: 0, error: 'began {"size":"1"}\n'.repeat(2) })
    expect(out).not.toBe('')
  })

  it('refuses an unknown market, an empty range, and a file that is no strategy', async () => {
    const nothing = await strategyFile('nothing.mjs', 'export const strategy = 1\n')
    const refusals = [
      await run(marketMaker, { markets: 'kalshi:NOPE' }),
      await run(marketMaker, { from: '2026-10-01', to: '2026-10-02' }),
      await run(marketMaker, { from: '2026-11-01', to: '2026-11-01' }),
      await run(nothing),
    ]
    expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1, 1])
    expect(refusals.map(({ error }) => error.trim())).toEqual([
      'unknown market: kalshi:NOPE',
      'the tape has nothing of these markets between --from and --to',
      'the range is empty: --to must be after --from',
      'nothing.mjs: the default export must be the function of the strategy',
    ])
  })
})
