// The embedded engine's process: it ignores signals to its process group, ends with its parent, and releases the directory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTape } from '#storage/clickhouse/client'

const source = fileURLToPath(new URL('../../../../src/storage/clickhouse/client.ts', import.meta.url))
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-embedded-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

/** A program that opens the tape, inserts `rows` coverage rows and then waits to be killed. */
async function startOwner(rows: number): Promise<{ pid: number; enginePid: number; kill(): Promise<void> }> {
  const script = `
    const { openTape } = await import(${JSON.stringify(source)})
    const store = await openTape({ dataDir: ${JSON.stringify(dataDir)} })
    for (let i = 0; i < ${rows}; i++)
      await store.command("INSERT INTO coverage (venue, outcome_id, at, kind) VALUES ('kalshi', 'A', " + Date.now() + ", 'opened')")
    process.stdout.write(JSON.stringify({ enginePid: store.enginePid() }) + '\\n')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    pid: child.pid as number,
    enginePid: (JSON.parse(line.toString()) as { enginePid: number }).enginePid,
    async kill() {
      const closed = once(child, 'exit')
      child.kill('SIGKILL')
      await closed
    },
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('the embedded engine', () => {
  test('exits after kill -9 of its owner, and the next owner finds every acknowledged row', async () => {
    let written = 0
    for (let round = 0; round < 2; round++) {
      const owner = await startOwner(5)
      written += 5
      await owner.kill()
      await vi.waitFor(() => expect(isAlive(owner.enginePid)).toBe(false), { timeout: 10_000 })
    }
    const store = await openTape({ dataDir })
    expect(await store.rows('SELECT count() AS n FROM coverage FORMAT JSONEachRow')).toEqual([{ n: written }])
    await store.close()
  })

  test('makes a new owner wait for a predecessor that is still shutting down', async () => {
    const owner = await startOwner(1)
    await owner.kill()
    const store = await openTape({ dataDir })
    expect(await store.ping()).toBe(true)
    await store.close()
  })

  test('survives Ctrl-C on the process group while its owner still flushes', async () => {
    const store = await openTape({ dataDir })
    const pid = store.enginePid() as number
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGTERM')
    expect(await store.rows('SELECT 1 AS one FORMAT JSONEachRow')).toEqual([{ one: 1 }])
    await store.close()
    expect(isAlive(pid)).toBe(false)
  })

  test('can be closed twice', async () => {
    const store = await openTape({ dataDir })
    await Promise.all([store.close(), store.close()])
    await store.close()
  })

  test('rejects reads without the password of this run', async () => {
    const store = await openTape({ dataDir })
    const answer = await fetch(`${store.url}/?query=SELECT+1`)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('x-clickhouse-exception-code')).toBe('516')
    await store.close()
  })
})
