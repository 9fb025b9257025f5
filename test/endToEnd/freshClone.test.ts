// CROSSBOOK_TEST_LONG=1: what a new user does on the first day, from a fresh clone, with only git, npm and Python: the README's commands,
// the generators' output, both clients as published, pmxt's clients, a day of tape, a program that is killed and restarted.
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTape } from '#storage/clickhouse/client'
import { openTestTape } from '#test/support/clickhouse'
import { cloneProject, hasHistory } from '#test/support/cloneProject'
import { ask, eventually, type Served } from '#test/support/cluster/client'
import { freePort } from '#test/support/freePort'
import { type Python, pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'
import { readWithOpenapiPythonClient } from '#test/support/sdk/openapiPythonClient'
import { buildWheel, installWheel, sdkPython } from '#test/support/sdk/python'
import { isLong } from '#test/support/shortRuns'
import { type DayOfTape, dayMs, writeDay } from '#test/support/tape/dayOfTape'
import { readInPython } from '#test/support/tape/readInPython'
import { pmxtRequirements, runPmxtPage, tryPmxt } from './clients/pmxt.ts'
import { emptyProject, plainEnv, shell } from './freshClone/stranger.ts'
import { expectFiles, expectReplays } from './freshClone/tape.ts'
import { readWithOpenapiTypescript } from './freshClone/typed.ts'
import { blocksIn, type PrintedDemo, startPrintedDemoIn } from './printedDemo.ts'
import { blocks, expectTour } from './tour.ts'

const minutes = 60_000
const changes = 20_000

describe.runIf(isLong && hasHistory)('a fresh clone', () => {
  let home: string
  let clone: string
  let demo: PrintedDemo
  let served: Served
  let builder: Python | null
  let reason: string | null
  /** With the wheel and all its extras. */
  let client: Python | null = null
  let day: DayOfTape

  async function start(): Promise<void> {
    demo = await startPrintedDemoIn({ project: clone, dataDir: join(clone, '.data/demo'), env: plainEnv })
    const { apiKey, url } = JSON.parse(await shell('cat .data/demo/runtime.json', clone)) as Served
    served = { url, apiKey, stream: `${url.replace('http', 'ws')}/v1/stream` }
  }

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'crossbook-fresh-'))
    clone = join(home, 'crossbook')
    cloneProject(clone)
    const [install] = blocks[0]!.split(' && ')
    await shell(install!.trim(), clone)
    await start()
    ;({ python: builder, reason } = await sdkPython('test', 'generator', 'build'))
  }, 30 * minutes)
  afterAll(async () => {
    await demo?.stop()
    await rm(home, { recursive: true, force: true })
  }, minutes)

  it(
    'passes doctor, identifies itself, and shows what the README prints',
    async () => {
      const findings = await shell('npx crossbook doctor --offline --json', clone, { PORT: String(await freePort()) })
      const states = findings
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { state: string }).state)
      expect(states.length).toBeGreaterThan(4)
      expect(states).not.toContain('fail')
      expect((await ask(served, '/')).body.data).toMatchObject({
        name: 'crossbook',
        links: { openapi: '/openapi.json' },
      })
      await expectTour(demo)
    },
    5 * minutes,
  )

  it(
    'openapi-typescript: its types compile, and read a market',
    async () => {
      await readWithOpenapiTypescript(join(home, 'typed'), served.url, served.apiKey)
    },
    15 * minutes,
  )

  it(
    'openapi-python-client: its client compiles, and reads a market',
    async ({ skip }) => {
      if (builder === null) return skip(reason!)
      const folder = join(home, 'generated')
      await mkdir(folder)
      await readWithOpenapiPythonClient(builder, folder, (await ask(served, '/openapi.json')).text, served)
    },
    15 * minutes,
  )

  it(
    'the TypeScript client, packed and installed in another project, runs its examples',
    async () => {
      await shell(`npm pack --silent -w sdk/typescript --pack-destination '${home}'`, clone)
      const [packed] = (await readdir(home)).filter((name) => name.endsWith('.tgz'))
      const project = await emptyProject(join(home, 'user'), join(home, packed!))
      for (const name of ['connect', 'market', 'follow', 'arbitrage', 'replay'])
        await copyFile(join(clone, `sdk/typescript/examples/${name}.ts`), join(project, `${name}.ts`))
      const env = { CROSSBOOK_URL: served.url, KEY: served.apiKey }
      const example = (words: string) => shell(`"${process.execPath}" ${words}`, project, env)
      expect(await example('market.ts kalshi')).toMatch(/^book \S+ 0\.\d+ 0\.\d+\nfirst .+\nmarkets 12$/m)
      expect(await example('follow.ts polymarket 3')).toMatch(/^book snapshot \d+ 0\.\d+ 0\.\d+$/m)
      expect(await example('arbitrage.ts 2')).toMatch(/^snapshot \d+ changed \d+ gone \d+ rows, best .+$/m)
      expect(await example('replay.ts kalshi')).toMatch(/^replayed ([1-9]\d*) of \1$/m)
    },
    15 * minutes,
  )

  it(
    'the Python client, installed from its wheel, runs its examples as printed',
    async ({ skip }) => {
      if (builder === null) return skip(reason!)
      const wheel = await buildWheel(builder, home, join(clone, 'sdk/python'))
      client = await installWheel(builder, wheel, join(home, 'venv'), 'evm,sign,polars')
      const printed = blocksIn(await shell('cat sdk/python/README.md', clone)).find((block) =>
        block.includes('order.py'),
      )!
      const output = await demo.shell(`export PATH='${join(home, 'venv/bin')}':$PATH\n${printed}`)
      for (const line of [/^bid 0\.\d+ ask 0\.\d+$/m, /^404 OUTCOME_NOT_FOUND False$/m, /^surface .* stale: False$/m])
        expect(output).toMatch(line)
      expect(output).toMatch(/^replayed [1-9]/m)
      expect(output.trimEnd().split('\n').at(-1)).toBe('filled')
    },
    pythonDeadlineMs + 10 * minutes,
  )

  it(
    'both pmxt clients read, watch and use several venues',
    async ({ skip }) => {
      const page = await shell('cat docs/coming-from-pmxt.md', clone)
      const [, printed] = /```js\n(.*?)```/s.exec(page)!
      const env = { CROSSBOOK_URL: served.url, KEY: served.apiKey, PRINTED: printed! }
      expect(await shell(`"${process.execPath}" --input-type=module -e "$PRINTED"`, clone, env)).toMatch(/price: 0\.\d/)
      const pmxt = await pythonVenv(pmxtRequirements)
      if (pmxt.python === null) return skip(pmxt.reason)
      await runPmxtPage(pmxt.python, served)
      await tryPmxt(pmxt.python, served)
    },
    pythonDeadlineMs + 5 * minutes,
  )

  it(
    'after a kill and a restart it still has its market, and a day that was recorded meanwhile',
    async () => {
      const markets = (venue: string, limit: number) => `/api/${venue}/fetchMarkets?limit=${limit}&sort=volume`
      const idsOf = async (venue: string): Promise<string[]> => {
        const { data } = (await ask(served, markets(venue, 2))).body as {
          data: { outcomes: { outcomeId: string }[] }[]
        }
        return data.map(({ outcomes }) => outcomes[0]!.outcomeId)
      }
      const taped: { venue: string; outcomeId: string }[] = []
      for (const venue of ['kalshi', 'polymarket'])
        for (const outcomeId of await idsOf(venue)) taped.push({ venue, outcomeId })
      const [{ outcomeId: known }] = taped as [(typeof taped)[0]]
      await demo.kill()
      // Two days ago: complete at any hour.
      const since = (Math.floor(Date.now() / dayMs) - 2) * dayMs
      const store = await openTape({ dataDir: demo.dataDir })
      day = await writeDay(store, { since, markets: taped, changes }).finally(() => store.close())
      await start()
      await eventually(async () => {
        const { body } = await ask(served, `/api/kalshi/fetchOrderBook?outcomeId=${known}`)
        expect(body.provenance).toMatchObject({ source: 'service-live' })
      })
    },
    10 * minutes,
  )

  it(
    'the day is listed, downloaded by ranges, checked, and replayed, equal to what was recorded row by row',
    async () => {
      const reader = await openTestTape()
      try {
        await expectFiles(served, day, reader)
      } finally {
        await reader.close()
      }
      await expectReplays(served, day)
    },
    15 * minutes,
  )

  it(
    'and the Python client reads it as frames, files and downloads',
    async ({ skip }) => {
      if (client === null) return skip(reason!)
      await readInPython(client, day, { CROSSBOOK_URL: served.url, CROSSBOOK_KEY: served.apiKey })
    },
    15 * minutes,
  )
})
