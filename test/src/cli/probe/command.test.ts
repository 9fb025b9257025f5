// The command as an operator runs it, against a lab: its output, the saved files and its exit code.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VenueReport } from '#cli/probe/report'
import { systemClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { compileCache } from '#test/support/compileCache'
import { changedAnswers } from '#test/support/probe/changedAnswers'

interface Ended {
  code: number
  stdout: string
  stderr: string
}

describe('crossbook probe', () => {
  let lab: Lab
  let folder: string
  beforeAll(async () => {
    lab = await startLab({
      clock: systemClock,
      seed: 'probe command',
      ratePerSecond: 60,
      markets: 40,
      venues: ['kalshi', 'xo', 'polymarket'],
    })
    folder = await mkdtemp(join(tmpdir(), 'probe-'))
  }, 60_000)
  afterAll(async () => {
    await lab?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (...words: string[]): Promise<Ended> => runWith({}, ...words)
  const runWith = (settings: Readonly<Record<string, string>>, ...words: string[]): Promise<Ended> => {
    const urls = Object.entries({ KALSHI: lab.kalshi.urls, XO: lab.xo.urls, POLYMARKET: lab.polymarket.urls }).flatMap(
      ([venue, each]) => Object.entries(each).map(([name, url]) => [`CROSSBOOK_${venue}_${name}_URL`, url]),
    )
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, ...compileCache(), ...Object.fromEntries(urls), ...settings }
    const child = ['--disable-warning=ExperimentalWarning', 'src/cli.ts', 'probe', ...words]
    return new Promise((resolve) =>
      execFile(process.execPath, child, { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      ),
    )
  }

  it('prints a report per venue as JSON and saves the responses', async () => {
    const { code, stdout, stderr } = await run('kalshi', 'xo', '--json', '--save', folder)
    const reports: VenueReport[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // The clock step may fail on a stalled machine; a report that differs shows the reason.
    const wrong = (report: VenueReport) =>
      report.steps.filter(({ step, state }) => step !== 'clock' && state !== 'ok' && state !== 'skip')
    expect(reports.map((report) => [report.venue, wrong(report), report.drift])).toEqual([
      ['kalshi', [], []],
      ['xo', [], []],
    ])
    expect(code).toBe(0)
    expect(stderr).toContain(folder)
    const { exchanges } = JSON.parse(await readFile(join(folder, 'kalshi.json'), 'utf8'))
    expect(exchanges[0]).toMatchObject({ method: 'GET', status: 200, body: expect.anything() })
  }, 60_000)

  it('prints a table and the findings, and fails when a venue does not respond', async () => {
    lab.xo.faults.http({ status: 400, count: 1_000 })
    const { code, stdout } = await run('kalshi', 'xo')
    lab.xo.faults.recover()
    expect(stdout).toMatch(/^venue +verdict +catalog/)
    expect(stdout).toMatch(/^kalshi +(works|limited) +ok/m)
    expect(stdout).toMatch(/^xo +fails +FAIL/m)
    expect(stdout).toMatch(/^xo: catalog: \S/m)
    expect(code).toBe(1)
  }, 60_000)

  it('reports the other venues when one lists markets without outcomes', async () => {
    const changed = await changedAnswers(lab.polymarket.urls.GAMMA!, (text) =>
      JSON.stringify(JSON.parse(text), (name, value) => (name === 'clobTokenIds' ? '[]' : value)),
    )
    try {
      const { code, stdout } = await runWith({ CROSSBOOK_POLYMARKET_GAMMA_URL: changed.url }, 'kalshi', 'polymarket')
      expect(stdout).toMatch(/^kalshi +(works|limited) +ok/m)
      expect(stdout).toMatch(/^polymarket +limited +WARN/m)
      expect(stdout).toMatch(/^polymarket: catalog: market \S+ has 0 outcomes/m)
      expect(code).toBe(0)
    } finally {
      await changed.close()
    }
  }, 60_000)

  it('reports the venues although their responses cannot be saved', async () => {
    const file = join(folder, 'a file, not a folder')
    await writeFile(file, '')
    const { code, stdout, stderr } = await run('kalshi', 'xo', '--save', file)
    expect(stdout).toMatch(/^kalshi +(works|limited) +ok/m)
    expect(stdout).toMatch(/^xo +(works|limited) +ok/m)
    expect(stderr).toMatch(/^xo: its answers were not saved: EEXIST/m)
    expect(code).toBe(1)
  }, 60_000)

  it('lists the known venues when it is given an unknown one', async () => {
    const { code, stderr } = await run('kalshy')
    expect(code).toBe(1)
    expect(stderr).toMatch(/no venue kalshy; there are polymarket, kalshi/)
  })
})
