import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#config'
import { newSealKey, parseSealKeys } from '#orders/conditional/index'
import { keysFileOf, openArtifactSeal } from '#roles/conditionalStore'
import { blocksOf } from '#roles/firingService'

function directory() {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-seal-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const { conditional } = readConfig({ CROSSBOOK_CONDITIONAL: 'true' })
  return { dataDir, conditional, file: keysFileOf(dataDir) }
}

test('creates a private key file on the first start, and keeps it on later ones', () => {
  const { dataDir, conditional, file } = directory()
  openArtifactSeal({ dataDir, conditional })
  const made = readFileSync(file, 'utf8')
  expect([parseSealKeys(made).length, statSync(file).mode & 0o777]).toEqual([1, 0o600])
  openArtifactSeal({ dataDir, conditional })
  expect([readFileSync(file, 'utf8'), readdirSync(dataDir).length]).toEqual([made, 1])
})

test('never reads an incomplete key file when several processes start at once', async () => {
  const { dataDir, conditional } = directory()
  const code = `const { workerData } = require('node:worker_threads')
    const gate = new Int32Array(workerData.gate)
    import(workerData.module).then(({ openArtifactSeal }) => {
      Atomics.add(gate, 1, 1)
      Atomics.notify(gate, 1)
      Atomics.wait(gate, 0, 0)
      for (const dataDir of workerData.dataDirs) openArtifactSeal({ dataDir, conditional: workerData.conditional })
    })`
  const gate = new SharedArrayBuffer(8)
  const words = new Int32Array(gate)
  const dataDirs = Array.from({ length: 100 }, (_, i) => join(dataDir, String(i)))
  const module = new URL('../../../src/roles/conditionalStore.ts', import.meta.url).href
  const starts = Array.from({ length: 2 }, () => {
    const worker = new Worker(code, { eval: true, workerData: { gate, module, conditional, dataDirs } })
    return new Promise<number>((resolve, reject) => worker.once('error', reject).once('exit', resolve))
  })
  for (let ready = 0; ready < 2; ready = Atomics.load(words, 1)) await new Promise(setImmediate)
  Atomics.store(words, 0, 1)
  Atomics.notify(words, 0)
  expect(await Promise.all(starts)).toEqual([0, 0])
  for (const one of dataDirs) expect(parseSealKeys(readFileSync(keysFileOf(one), 'utf8'))).toHaveLength(1)
})

test('rejects a key file that others may read', () => {
  const { dataDir, conditional, file } = directory()
  writeFileSync(file, `${newSealKey()}\n`)
  chmodSync(file, 0o640)
  expect(() => openArtifactSeal({ dataDir, conditional })).toThrow(/mode 640: chmod 600/)
})

test('does not fire orders with a known country when the process does not know the blocked countries', () => {
  const fence = { countryHeader: 'cf-ipcountry', trustedProxies: [], blockedCountries: ['CU'] }
  const compute = new Set(['compute'] as const)
  expect(['CU', 'DE'].map(blocksOf({ geofence: fence, roles: compute }))).toEqual([true, false])
  expect(blocksOf({ geofence: undefined, roles: new Set(['compute', 'gateway'] as const) })('CU')).toBe(false)
  expect(() => blocksOf({ geofence: undefined, roles: compute })('DE')).toThrow('which countries are blocked')
})
