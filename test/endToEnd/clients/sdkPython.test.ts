// The Python SDK against a running program: its own tests, and its examples as they are shipped. And what another generator makes of the same document.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '#platform/auth/keys'
import { withEngine } from '#test/support/engine'
import { type Python, pythonDeadlineMs } from '#test/support/python/venv'
import { laneArtifacts } from '#test/support/sdk/artifacts'
import { readContract } from '#test/support/sdk/contract'
import { sdkPython, sdkRoot } from '#test/support/sdk/python'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
const engine = withEngine({ env: { CROSSBOOK_ARBITRAGE: 'true', CROSSBOOK_WEBHOOKS: 'true' } })
let python: Python | null
let reason: string | null
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossbook-sdk-'))
  ;({ python, reason } = await sdkPython('test', ...(isLong ? ['long'] : [])))
}, pythonDeadlineMs + 10_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a Python program failed with stands in what it printed, too. */
async function run(args: string[], env: Record<string, string> = {}): Promise<string> {
  return python!
    .run(args, { env, timeoutMs: 200_000 })
    .catch((error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(`${error.stdout ?? ''}\n${error.stderr ?? error.message}`)
    })
}

it('passes its own tests, examples and lanes among them', { timeout: 240_000 }, async ({ skip }) => {
  if (python === null) return skip(reason!)
  const artifacts = join(folder, 'artifacts.json')
  await writeFile(artifacts, JSON.stringify(await laneArtifacts()))
  const { apiKey } = await createKey(engine.crossbook.pool!, {
    account: 'python',
    plan: 'enterprise',
    scopes: ['read', 'trade'],
  })
  const told = await run(['-m', 'pytest', '-c', join(sdkRoot, 'pyproject.toml'), '--rootdir', sdkRoot, sdkRoot], {
    CROSSBOOK_URL: engine.served.url,
    CROSSBOOK_KEY: apiKey,
    CROSSBOOK_ARTIFACTS: artifacts,
    CLOB: engine.lab.polymarket.urls.CLOB,
  })
  expect(told).toMatch(/\d+ passed/)
  // Without polars one; nothing else.
  expect(/(\d+) skipped/.exec(told)?.[1]).toBe(isLong ? undefined : '1')
})

it.runIf(isLong)(
  'openapi-python-client makes a client of the document, which reads a market',
  { timeout: 120_000 },
  async ({ skip }) => {
    if (python === null) return skip(reason!)
    const source = join(folder, 'openapi.json')
    await writeFile(source, JSON.stringify(readContract().openapi))
    const config = join(folder, 'config.yml')
    // Formatters are for people.
    await writeFile(config, 'post_hooks: []\n')
    const target = join(folder, 'crossbook-client')
    const options = ['--path', source, '--config', config, '--output-path', target]
    await run(['-c', 'from openapi_python_client.cli import app; app()', 'generate', ...options])
    await run(['-m', 'compileall', '-q', target])
    const [name, bid] = (
      await run(['-c', reading, engine.served.url, engine.served.apiKey], { PYTHONPATH: target })
    ).split('\n')
    expect(name).toMatch(/\S/)
    expect(Number(bid)).toBeGreaterThan(0)
  },
)

const reading = `
import sys
from crossbook_client import AuthenticatedClient
from crossbook_client.api.markets import fetch_markets_get, fetch_order_book_get
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
market = fetch_markets_get.sync("kalshi", client=client, limit=1).data[0]
print(market.title)
print(fetch_order_book_get.sync("kalshi", client=client, outcome_id=market.outcomes[0].outcome_id).data.bids[0].price)
`

it.runIf(isLong)('a wheel of it is built, with its types and its version', { timeout: 120_000 }, async ({ skip }) => {
  if (python === null) return skip(reason!)
  const build =
    'import os, sys; from hatchling.build import build_wheel; os.chdir(sys.argv[1]); print(build_wheel(sys.argv[2]))'
  const { info } = readContract().openapi as { info: { version: string } }
  const name = (await run(['-c', build, sdkRoot, folder])).trim().split('\n').at(-1)!
  expect(name).toBe(`crossbook-${info.version}-py3-none-any.whl`)
  const files = (await run(['-m', 'zipfile', '-l', join(folder, name)])).split('\n').map((line) => line.split(' ')[0])
  expect(files).toEqual(
    expect.arrayContaining(['crossbook/py.typed', 'crossbook/generated/models.py', 'crossbook/stream/client.py']),
  )
  const env = { PYTHONPATH: join(folder, name) }
  expect(await run(['-c', 'import crossbook; print(crossbook.__version__)'], env)).toBe(`${info.version}\n`)
})
