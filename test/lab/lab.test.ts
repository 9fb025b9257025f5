import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { labVenueNames, startLab } from '#lab/lab'
import { readVenueNames } from '#lab/venues'
import { projectRoot, sampleOf } from '#test/support/docs/samples'
import { getJson, type Json, RecordingSocket } from './clients.ts'

const post = async (url: string, body: unknown) => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Json }
}

describe('the lab', () => {
  test('imports nothing from the adapters that it tests', () => {
    const root = fileURLToPath(new URL('../../lab/', import.meta.url))
    const files = readdirSync(root, { recursive: true }).map(String)
    // The demo connects the lab to the service; it, its key, its settings and its terminal output do not belong to the lab.
    // Signatures are checked with viem and msgpack from first principles.
    const demo = ['demo.ts', 'demoKey.ts', 'demoLab.ts', 'demoTerminal.ts']
    const sources = files.filter((file) => file.endsWith('.ts') && !demo.includes(file))
    expect(sources.length).toBeGreaterThan(25)
    for (const file of sources) {
      const imports = [...readFileSync(`${root}${file}`, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name!)
      const strangers = imports.filter(
        (name) =>
          !/^(\.{1,2}\/|node:|#core\/(?!books)|ws$|zod$|viem$|viem\/|@msgpack\/msgpack$)/.test(name) ||
          /\.\.\/\.\.\//.test(name),
      )
      expect(strangers, file).toEqual([])
    }
  })

  test('stop closes every port and socket and leaves no timer; stopping twice is harmless', async () => {
    const clock = new ManualClock()
    const lab = await startLab({ clock })
    const socket = await RecordingSocket.open(lab.polymarket.urls.WS)
    lab.polymarket.faults.mute({ forMs: 60_000 })
    lab.kalshi.faults.slow({ delayMs: 60_000 })
    const unanswered = fetch(`${lab.kalshi.urls.REST}/exchange/status`).catch(() => 'cut')
    await expect.poll(() => lab.kalshi.counters().httpRequests, { timeout: 25_000 }).not.toEqual({})
    await lab.stop()
    await lab.stop()
    await socket.until(() => socket.closed !== null)
    expect(await unanswered).toBe('cut')
    expect(clock.pendingCount).toBe(0)
    await expect(fetch(`${lab.control.url}/lab/state`)).rejects.toThrow()
  })

  test('starts only the requested venues', async () => {
    const lab = await startLab({ clock: new ManualClock(), venues: ['kalshi'] })
    expect(() => lab.polymarket).toThrow('without polymarket')
    await lab.stop()
  })

  test('accepts venues as a comma list or as all, in the order of their ports; an unknown one is rejected', () => {
    expect(readVenueNames('all')).toEqual(labVenueNames)
    expect(readVenueNames('kalshi,polymarket')).toEqual(['polymarket', 'kalshi'])
    expect(readVenueNames(undefined)).toEqual(['polymarket', 'kalshi'])
    for (const wrong of ['', 'nobody', 'kalshi,', 'toString'])
      expect(() => readVenueNames(wrong), wrong).toThrow('the lab has')
  })

  test('starts all venues when requested, each with its faults on the control port, and stops without a timer left', async () => {
    const clock = new ManualClock()
    const lab = await startLab({ clock, venues: labVenueNames, markets: 3 })
    const { body } = await getJson(`${lab.control.url}/lab/state`)
    expect(Object.keys(body.venues as object)).toEqual([...labVenueNames])
    for (const venue of labVenueNames) {
      const set = await post(`${lab.control.url}/lab/faults`, { venue, kind: 'order', fault: 'drop' })
      expect(set).toMatchObject({ status: 200, body: { state: { orders: [{ fault: 'drop', left: 1 }] } } })
    }
    await lab.stop()
    expect(clock.pendingCount).toBe(0)
  })

  test('the control port sets faults, returns them with the counters, and recovers', async () => {
    const lab = await startLab({ clock: new ManualClock() })
    const { url } = lab.control
    const set = await post(`${url}/lab/faults`, { venue: 'kalshi', kind: 'http', status: 500 })
    expect(set).toMatchObject({ status: 200, body: { state: { http: [{ status: 500, left: null }] } } })
    expect((await getJson(`${lab.kalshi.urls.REST}/exchange/status`)).status).toBe(500)
    const { body } = await getJson(`${url}/lab/state`)
    expect(body.venues).toMatchObject({
      kalshi: { counters: { httpRequests: { '/trade-api/v2/exchange/status': 1 } } },
      polymarket: { faults: { http: [] } },
    })
    await post(`${url}/lab/recover`, { venue: 'polymarket' })
    expect((await getJson(`${lab.kalshi.urls.REST}/exchange/status`)).status).toBe(500)
    await post(`${url}/lab/recover`, {})
    expect((await getJson(`${lab.kalshi.urls.REST}/exchange/status`)).status).toBe(200)
    for (const bad of [
      {},
      { venue: 'kalshi', kind: 'burn' },
      { venue: 'nobody', kind: 'mute' },
      { venue: 'kalshi', kind: 'slow' },
    ]) {
      expect((await post(`${url}/lab/faults`, bad)).status).toBe(400)
    }
    await lab.stop()
  })

  test('a thousand sockets on one market are a thousand subscriptions, and none after they left', async () => {
    const lab = await startLab({ clock: new ManualClock(), venues: ['polymarket'] })
    const token = lab.polymarket.openTokens()[0]!
    const sockets = await Promise.all(Array.from({ length: 1000 }, () => RecordingSocket.open(lab.polymarket.urls.WS)))
    for (const socket of sockets) socket.send({ type: 'market', assets_ids: [token] })
    await Promise.all(sockets.map((socket) => socket.until(() => socket.frames.length > 0)))
    expect(lab.polymarket.counters()).toMatchObject({ socketsOpen: 1000, subscriptions: { [token]: 1000 } })
    await Promise.all(sockets.map((socket) => socket.close()))
    await expect
      .poll(() => lab.polymarket.counters(), { timeout: 25_000 })
      .toMatchObject({ socketsOpen: 0, subscriptions: {} })
    await lab.stop()
  })

  test('as a program started as in its README, prints one ready line with its urls and ends on SIGTERM', async () => {
    const [command] = sampleOf('lab/README.md', 'npx node').split('#')
    const words = command!.replace('npx node', `exec ${process.execPath}`)
    const child = spawn('bash', ['-c', words], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    expect(line.startsWith('crossbook-lab ready ')).toBe(true)
    const ready = JSON.parse(line.slice('crossbook-lab ready '.length)) as Record<
      string,
      { urls: Record<string, string> }
    >
    expect(Object.keys(ready)).toEqual(expect.arrayContaining(['control', ...labVenueNames]))
    expect((await getJson(`${ready.kalshi!.urls.REST}/exchange/status`)).status).toBe(200)
    expect((await getJson(`${ready.polymarket!.urls.CLOB}/version`)).body).toEqual({ version: 2 })
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })
})
