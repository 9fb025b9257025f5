// The Python SDK against a running program: its own tests, and its examples as shipped. And a client made by another generator from the
// same document.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '#platform/auth/keys'
import { withEngine } from '#test/support/engine'
import { freePort } from '#test/support/freePort'
import { type Python, pythonDeadlineMs } from '#test/support/python/venv'
import { laneArtifacts } from '#test/support/sdk/artifacts'
import { readContract } from '#test/support/sdk/contract'
import { readWithOpenapiPythonClient } from '#test/support/sdk/openapiPythonClient'
import { buildWheel, installWheel, sdkPython, sdkRoot } from '#test/support/sdk/python'
import { isLong } from '#test/support/shortRuns'

const webhookPort = await freePort()
const engine = withEngine({
  env: {
    CROSSBOOK_ARBITRAGE: 'true',
    CROSSBOOK_WEBHOOKS: 'true',
    CROSSBOOK_EXECUTION_WEBHOOKS: 'true',
    CROSSBOOK_WEBHOOK_ALLOW: `127.0.0.1:${webhookPort}`,
  },
})
let python: Python | null
let reason: string | null
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossbook-sdk-'))
  ;({ python, reason } = await sdkPython('test', 'frames', 'generator', 'build', ...(isLong ? ['lint'] : [])))
}, pythonDeadlineMs + 10_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The reason of a failed Python program may also be in its standard output. */
async function run(args: string[], env: Record<string, string> = {}): Promise<string> {
  return python!
    .run(args, { env, timeoutMs: 200_000, cwd: sdkRoot })
    .catch((error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(`${error.stdout ?? ''}\n${error.stderr ?? error.message}`)
    })
}

it('passes its own tests, including examples and adapters', { timeout: 240_000 }, async ({ skip }) => {
  if (python === null) return skip(reason!)
  const artifacts = join(folder, 'artifacts.json')
  await writeFile(artifacts, JSON.stringify(await laneArtifacts()))
  const { apiKey } = await createKey(engine.crossbook.pool!, {
    account: 'python',
    plan: 'enterprise',
    scopes: ['read', 'trade', 'admin'],
  })
  const printed = await run(['-m', 'pytest'], {
    CROSSBOOK_URL: engine.served.url,
    CROSSBOOK_KEY: apiKey,
    CROSSBOOK_ARTIFACTS: artifacts,
    CROSSBOOK_WEBHOOK_PORT: String(webhookPort),
    CLOB: engine.lab.polymarket.urls.CLOB,
  })
  expect(printed).toMatch(/\d+ passed/)
  expect(printed).not.toMatch(/skipped/)
})

it('openapi-python-client makes a client of the document, which reads a market', { timeout: 240_000 }, async ({
  skip,
}) => {
  if (python === null) return skip(reason!)
  await readWithOpenapiPythonClient(python, folder, JSON.stringify(readContract().openapi), engine.served)
})

it('builds a wheel with its types and its version, which installs with its dependencies', { timeout: 300_000 }, async ({
  skip,
}) => {
  if (python === null) return skip(reason!)
  const { info } = readContract().openapi as { info: { version: string } }
  const wheel = await buildWheel(python, folder)
  expect(wheel).toBe(join(folder, `crossbook-${info.version}-py3-none-any.whl`))
  const files = (await run(['-m', 'zipfile', '-l', wheel])).split('\n').map((line) => line.split(' ')[0])
  expect(files).toEqual(
    expect.arrayContaining(['crossbook/py.typed', 'crossbook/generated/models.py', 'crossbook/stream/client.py']),
  )
  const installed = await installWheel(python, wheel, join(folder, 'installed'))
  const read = join(sdkRoot, 'examples/read.py')
  const env = { CROSSBOOK_URL: engine.served.url, CROSSBOOK_KEY: engine.served.apiKey }
  expect(await installed.run([read, 'kalshi'], { env, cwd: folder })).toMatch(/^bid 0\.\d+ ask 0\.\d+$/m)
  const printed = await installed.run(['-c', 'import crossbook; print(crossbook.__version__)'], { cwd: folder })
  expect(printed).toBe(`${info.version}\n`)
})

it.runIf(isLong)('passes type checks and style checks', { timeout: 240_000 }, async ({ skip }) => {
  if (python === null) return skip(reason!)
  expect(await run(['-m', 'mypy', '--cache-dir', join(folder, 'mypy')])).toMatch(/^Success: no issues found in \d+/)
  expect(await run(['-m', 'ruff', 'check', '--no-cache', '.'])).toBe('All checks passed!\n')
})
