import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Config, readConfig } from '#config'
import { systemClock } from '#core/clock'
import { removeRuntime, writeRuntime } from '#roles/runtimeFile'
import { listen } from '#server/gateway/gateway'
import { freePort } from '#test/support/freePort'
import { withPostgres } from '#test/support/postgres'
import { clockCheck, dataDirCheck, nodeCheck, portCheck } from '../../../src/cli/doctor/machine.ts'
import { programCheck } from '../../../src/cli/doctor/program.ts'
import { storeChecks } from '../../../src/cli/doctor/stores.ts'
import { pingVenues } from '../../../src/cli/doctor/venues.ts'

const postgres = withPostgres()
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-doctor-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

describe('the machine', () => {
  it('needs the Node version of this release', () => {
    expect(nodeCheck('22.1.0').state).toBe('ok')
    expect(nodeCheck('20.20.2')).toEqual({ check: 'node', state: 'fail', message: expect.stringContaining('Node 22') })
    expect(nodeCheck('24.0.0').state).toBe('warn')
  })

  it('needs a folder and a port', async () => {
    expect(dataDirCheck(dataDir)).toMatchObject({
      state: expect.stringMatching(/ok|warn/),
      message: expect.stringMatching(/GiB free/),
    })
    expect(dataDirCheck('/dev/null/data')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('DATA_DIR'),
    })
    const listener = await listen({ host: '127.0.0.1', port: 0 })
    const config = { host: '127.0.0.1', port: listener.port, dataDir }
    expect(await portCheck(config)).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('another program'),
    })
    listener.close()
    expect(await portCheck(config)).toMatchObject({ state: 'ok' })
  })

  it('compares the clock with most venues, not with one', () => {
    expect(clockCheck([100, -200, 300, null])).toMatchObject({ state: 'ok', message: '0.1 s ahead of 3 venues' })
    expect(clockCheck([60_000, 100, -100]).state).toBe('ok')
    expect(clockCheck([-5_000, -5_200, 0, -4_900])).toEqual({
      check: 'clock',
      state: 'fail',
      message: '4.9 s behind 4 venues',
    })
    expect(clockCheck([5_000, null, 5_000]).state).toBe('warn')
  })
})

describe('the stores', () => {
  it('are checked at their configured addresses, without printing a password', async () => {
    const url = `postgres://crossbook:secret@127.0.0.1:${await freePort()}/x`
    const broker = `127.0.0.1:${await freePort()}`
    const config = readConfig({
      DATABASE_URL: url,
      CLICKHOUSE_URL: `http://u:secret@127.0.0.1:${await freePort()}`,
      KAFKA_BROKERS: broker,
    })
    const found = await storeChecks(config)
    expect(found.map(({ check, state }) => [check, state])).toEqual([
      ['postgres', 'fail'],
      ['engine', 'fail'],
      ['bus', 'fail'],
    ])
    expect(JSON.stringify(found)).not.toContain('secret')
    expect(found[2]!.message).toContain(broker)
    const there = await storeChecks({ ...readConfig({}), databaseUrl: postgres.url })
    expect(there).toEqual([
      { check: 'postgres', state: 'ok', message: expect.stringMatching(/\/\/.+ is PostgreSQL 18\.\d+$/) },
      {
        check: 'engine',
        state: 'ok',
        message: expect.stringMatching(/^embedded; .+tape will be created at the first start$/),
      },
      { check: 'bus', state: 'ok', message: 'in this process' },
    ])
  })

  it('need a writable folder with free space and data of a known version when they are embedded', async () => {
    const config = readConfig({ DATA_DIR: join(dataDir, 'own') })
    const found = async () => Object.fromEntries((await storeChecks(config)).map((each) => [each.check, each]))
    expect((await found()).postgres).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^embedded, PostgreSQL 18; .+first start$/),
    })

    const folders = { postgres: join(config.dataDir, 'postgres'), engine: join(config.dataDir, 'tape') }
    for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true })
    await mkdir(join(folders.engine, 'engine'))
    const version = join(folders.postgres, 'PG_VERSION')
    await writeFile(version, '18\n')
    const kept = await found()
    for (const check of ['postgres', 'engine'] as const)
      expect(kept[check]).toMatchObject({
        state: expect.stringMatching(/ok|warn/),
        message: expect.stringMatching(new RegExp(`${folders[check]} has data, \\d+\\.\\d GiB free$`)),
      })
    await writeFile(version, '17\n')
    expect((await found()).postgres).toMatchObject({
      state: 'fail',
      message: expect.stringMatching(/is of PostgreSQL 17, and this release ships PostgreSQL 18: dump it/),
    })
    await writeFile(version, '18\n')
    await Promise.all(Object.values(folders).map((folder) => rm(folder, { recursive: true })))
    for (const folder of Object.values(folders)) await writeFile(folder, '')
    for (const check of ['postgres', 'engine'] as const)
      expect((await found())[check]).toMatchObject({ state: 'fail', message: expect.stringContaining(folders[check]) })
  })
})

describe('a program', () => {
  const folder = () => join(dataDir, 'program')
  afterEach(() => removeRuntime(folder()))

  async function served(answer: object): Promise<{ config: Config; url: string }> {
    const server = createServer((_, response) => response.end(JSON.stringify(answer)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const config = readConfig({ DATA_DIR: folder(), PORT: String(port), HOST: '0.0.0.0' })
    return { config, url: `http://127.0.0.1:${port}` }
  }

  it('on the configured port is checked for readiness', async () => {
    const { config, url } = await served({
      success: true,
      data: { ready: true, parts: { postgres: true, books: true }, degraded: [] },
    })
    expect(await programCheck(config)).toEqual({
      check: 'program',
      state: 'ok',
      message: `${url} is ready: postgres, books`,
    })
    const { config: degraded, url: itsUrl } = await served({
      success: true,
      data: { ready: true, parts: { postgres: false, books: true }, degraded: ['postgres'] },
    })
    expect(await programCheck(degraded)).toEqual({
      check: 'program',
      state: 'warn',
      message: `${itsUrl} serves without postgres`,
    })
    const { config: broken } = await served({ success: false, error: { message: 'not serving: kafka' } })
    expect(await programCheck(broken)).toMatchObject({
      state: 'fail',
      message: expect.stringMatching(/not ready: not serving: kafka$/),
    })
  })

  it('with only an operations port is checked there', async () => {
    const { url } = await served({ success: true, data: { ready: true, parts: {}, degraded: [] } })
    const config = readConfig({ DATA_DIR: folder(), CROSSBOOK_OPERATIONS_PORT: new URL(url).port })
    writeRuntime(folder(), { pid: process.pid, url: null, apiKey: null })
    expect(await programCheck(config)).toMatchObject({ state: 'ok', message: `${url} is ready` })
    expect(await portCheck({ ...config.operations!, dataDir: folder() }, 'operations port')).toMatchObject({
      state: 'ok',
    })
  })

  it('without a response is reported as broken, and an unrelated program as not running', async () => {
    const { config } = await served({ hello: 'world' })
    expect(await programCheck(config)).toMatchObject({ state: 'ok', message: 'none is running here' })
    const url = `http://127.0.0.1:${await freePort()}`
    writeRuntime(folder(), { pid: process.pid, url, apiKey: null })
    expect(await programCheck(config)).toMatchObject({
      state: 'fail',
      message: `process ${process.pid} is running, but ${url} does not answer: ECONNREFUSED`,
    })
    writeRuntime(folder(), { pid: process.pid, url: null, apiKey: null })
    const roles = new Set(['ingest'] as const)
    expect(await programCheck({ ...config, roles })).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('CROSSBOOK_OPERATIONS_PORT'),
    })
  })
})

describe('the venues', () => {
  let server: Server
  let url: string
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.setHeader('date', new Date(Date.now() - 60_000).toUTCString())
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  it('are reachable when they respond at all, and provide the time', async () => {
    const config = readConfig({
      VENUES: 'polymarket,kalshi',
      CROSSBOOK_POLYMARKET_CLOB_URL: `${url}/base`,
      CROSSBOOK_KALSHI_REST_URL: `http://127.0.0.1:${await freePort()}`,
    })
    const [polymarket, kalshi] = await pingVenues(config, systemClock)
    expect(polymarket!.finding).toMatchObject({ check: 'polymarket', state: 'ok' })
    expect(Math.abs(polymarket!.aheadMs! - 60_000)).toBeLessThan(5_000)
    expect(kalshi).toEqual({
      finding: { check: 'kalshi', state: 'warn', message: expect.stringContaining('ECONNREFUSED') },
      aheadMs: null,
    })
  })
})
