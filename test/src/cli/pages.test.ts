// The commands that the documentation instructs operators to type, as printed, on a database of this file:
// docs/accounts.md, risk-limits.md, trading.md, conditional-orders.md, matching.md and venues.md.
import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#config'
import { openArtifactSeal } from '#roles/conditionalStore'
import { findAccountByName } from '#storage/postgres/accounts/findAccount'
import { compileCache } from '#test/support/compileCache'
import { openConditionalOrders } from '#test/support/conditional/book'
import { projectRoot, sampleOf } from '#test/support/docs/samples'
import { listVerifiedPrizes } from '#test/support/matchCatalog'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossbook-pages-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Replaces npx and npm, which start slowly, by the programs they would run. Standard input is closed. */
function shell(script: string): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const here = script
    .replaceAll('npx crossbook', `${process.execPath} --disable-warning=ExperimentalWarning ${projectRoot}src/cli.ts`)
    .replaceAll(/npm run (\S+) --/g, (_, name: string) => scripts[name]!.replace(/^node /, `npx node ${projectRoot}`))
    .replaceAll('npx node', process.execPath)
  const own = { HOME: folder, DATA_DIR: folder, DATABASE_URL: postgres.url }
  const env = { PATH: process.env.PATH ?? '', ...compileCache(), ...own }
  return new Promise((resolve, reject) => {
    const child = execFile(
      'bash',
      ['-euo', 'pipefail', '-c', here],
      { cwd: folder, env, timeout: 60_000 },
      (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(`${error.message}\n${stderr}`))),
    )
    child.stdin!.end()
  })
}

test('accounts, keys, credits and caps', async () => {
  const output = await shell(sampleOf('docs/accounts.md', 'npx crossbook accounts create'))
  expect(output).toMatch(/acme/)
  const granted = (await shell('npx crossbook credits list --json')).trim().split('\n')
  expect(granted.map((line) => (JSON.parse(line) as { credits: number }).credits)).toEqual(
    expect.arrayContaining([-1_000, 500_000]),
  )
  // The key's cap was set and cleared; the account's cap remains.
  const caps = (await shell('npx crossbook caps list --json')).trim().split('\n')
  expect(caps.map((line) => JSON.parse(line))).toMatchObject([{ account: 'acme' }])
}, 60_000)

test('risk limits', async () => {
  const output = await shell(sampleOf('docs/risk-limits.md', 'npx crossbook limits set'))
  expect(output).toMatch(/acme +all +all +openNotional +5000 +USD +refuse/)
  const left = (await shell('npx crossbook limits list --json')).trim().split('\n')
  expect(left.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(['openNotional', 'dailyLoss'])
}, 60_000)

test('a paper key', async () => {
  const output = await shell(sampleOf('docs/paper-trading.md', 'npx crossbook keys create'))
  expect(output).toMatch(/xb_paper_[0-9A-Za-z]{43}/)
  expect(output).toMatch(/account acme \(paper [0-9a-f]{8}\)/)
}, 30_000)

test('a key', async () => {
  const output = await shell(sampleOf('docs/venues.md', 'npx crossbook keys create'))
  expect(output).toMatch(/xb_live_[0-9A-Za-z]{43}/)
}, 30_000)

test('halting and resuming trading', async () => {
  const output = await shell(sampleOf('docs/trading.md', 'npx crossbook halt'))
  expect(output).toContain('fills are reported twice')
  const left = (await shell('npx crossbook halts --json')).trim().split('\n')
  const reasons = left.map((line) => (JSON.parse(line) as { reason: string }).reason)
  expect(reasons.toSorted()).toEqual(['fills are reported twice', 'maintenance'])
}, 30_000)

test('conditional orders', async () => {
  const { pool } = postgres
  const acme = await openConditionalOrders(pool, (await findAccountByName(pool, 'acme'))!.id)
  const { id } = await acme.arm()
  // The program creates it at its first start.
  openArtifactSeal({ conditional: { ...readConfig({}).conditional, enabled: true }, dataDir: folder })
  const output = await shell(sampleOf('docs/conditional-orders.md', 'npx crossbook conditional list'))
  expect(output).toContain(`canceled ${id}`)
  expect(output).toMatch(/resealed +\d+/)
  expect(await acme.statusOf(id)).toBe('canceled')
}, 30_000)

test('an audit of the matcher and its evaluation', async () => {
  await listVerifiedPrizes(postgres.pool)
  const audit = sampleOf('docs/matching.md', 'npx crossbook matches audit')
  const output = await shell(audit.replace('kalshi:KX-1', 'kalshi:KXKROLL-27-MK'))
  expect(output).toContain('forbidden  kalshi:KXKROLL-27-MK  polymarket:101')
  const [label] = readFileSync(join(folder, 'labels.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(label!)).toMatchObject({ label: false, a: { marketId: 'KXKROLL-27-MK' } })
  for (const name of ['labelled.jsonl', 'other.jsonl']) copyFileSync(join(folder, 'labels.jsonl'), join(folder, name))
  const measured = JSON.parse(await shell(sampleOf('docs/matching.md', 'npm run eval:matching')))
  expect(measured).toMatchObject({ pairs: 1, matches: 0 })
}, 60_000)
