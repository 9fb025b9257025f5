import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  checkDataDir,
  folderOfRunning,
  readLastRuntime,
  readRuntime,
  removeRuntime,
  writeRuntime,
} from '#roles/runtimeFile'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'crossbook-runtime-'))
})
afterEach(() => {
  chmodSync(dir, 0o700)
  rmSync(dir, { recursive: true, force: true })
})

it('reads what was written, and ignores a truncated file', () => {
  const runtime = { pid: process.pid, url: 'http://127.0.0.1:1', apiKey: null }
  writeRuntime(dir, runtime)
  expect(readRuntime(dir)).toEqual(runtime)
  expect(readdirSync(dir)).toEqual(['runtime.json'])
  for (const text of ['', '{"pid": 1', 'null', '[]', '{"pid":"x"}']) {
    writeFileSync(join(dir, 'runtime.json'), text)
    expect(readRuntime(dir), text).toBeNull()
  }
})

it('reads the file of a killed process as its last runtime, not as a running one', () => {
  expect(readLastRuntime(dir)).toBeNull()
  // No process has this id: the kernel's maximum is 2^22.
  const runtime = { pid: 2 ** 30, url: 'http://127.0.0.1:1', apiKey: 'xb_test_1' }
  writeRuntime(dir, runtime)
  expect(readLastRuntime(dir)).toEqual(runtime)
  expect(readRuntime(dir)).toBeNull()
  removeRuntime(dir)
  expect(readLastRuntime(dir)).toBeNull()
})

it('uses the demo’s folder unless a process runs on the folder itself', () => {
  const runtime = { pid: process.pid, url: null, apiKey: null }
  const demo = join(dir, 'demo')
  expect(folderOfRunning(dir)).toBe(dir)
  writeRuntime(demo, runtime)
  expect(folderOfRunning(dir)).toBe(demo)
  writeRuntime(dir, runtime)
  expect(folderOfRunning(dir)).toBe(dir)
})

it('explains in one sentence why a directory cannot be used', () => {
  writeFileSync(join(dir, 'file'), '')
  expect(() => checkDataDir(join(dir, 'file'))).toThrow(/^DATA_DIR .*file cannot be used: it is a file$/)
  expect(() => checkDataDir(join(dir, 'file', 'below'))).toThrow(/cannot be used: a part of the path is a file$/)
  // Root can write anywhere except in directories managed by the kernel.
  expect(() => checkDataDir(process.getuid?.() === 0 ? '/proc/self' : '/')).toThrow(/^DATA_DIR .* cannot be used: /)
  expect(() => checkDataDir('/proc/nothing/below')).toThrow(/^DATA_DIR .* cannot be used: /)
  checkDataDir(join(dir, 'new', 'deep'))
  expect(readdirSync(join(dir, 'new', 'deep'))).toEqual([])
})

it('creates the data directory for its owner only, and warns about one that others may enter', () => {
  const created = join(dir, 'created')
  expect(checkDataDir(created)).toBeNull()
  expect(statSync(created).mode & 0o777).toBe(0o700)
  const open = join(dir, 'open')
  mkdirSync(open)
  chmodSync(open, 0o755)
  expect(checkDataDir(open)).toBe(`other users of this machine may enter DATA_DIR: chmod 700 ${open}`)
  expect(statSync(open).mode & 0o777).toBe(0o755)
})
