// The user's scenario against one process with all roles.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createKey } from '#platform/auth/keys'
import { findRunningEmbedded } from '#storage/postgres/embedded'
import { createPool } from '#storage/postgres/pool'
import type { Served } from '#test/support/cluster/client'
import { labEnvironment } from '#test/support/cluster/labEnvironment'
import { type RoleProcess, roleProcess } from '#test/support/cluster/roleProcess'
import { describeUser } from './scenario.ts'

let lab: Lab
let crossbook: RoleProcess
let dataDir: string
let apiKey: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-embedded-'))
  lab = await startLab({ seed: 'embedded', ratePerSecond: 4 })
  crossbook = roleProcess({
    name: 'embedded',
    roles: 'all',
    dataDir,
    env: {
      PORT: '0',
      LOG_LEVEL: 'warn',
      CROSSBOOK_PINNED_MARKETS: '10',
      CROSSBOOK_IDLE_UNWATCH_MS: '1000',
      // It would subscribe to books itself; here only this user's books are wanted.
      CROSSBOOK_ARBITRAGE: 'false',
      ...labEnvironment(lab),
    },
  })
  await crossbook.start()
  apiKey = await issueKey(dataDir)
}, 120_000)
afterAll(async () => {
  await crossbook?.stop()
  await lab?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

/** As the command line finds the database of a running process. */
async function issueKey(directory: string): Promise<string> {
  const url = await findRunningEmbedded(directory)
  if (url === null) throw new Error('the running process left no address')
  const pool = createPool({ url, log: silentLog })
  try {
    return (await createKey(pool, { account: 'embedded', plan: 'enterprise', scopes: ['read'] })).apiKey
  } finally {
    await pool.end()
  }
}

describe('one process', () => {
  describeUser(() => {
    const served: Served = { url: crossbook.url, stream: crossbook.stream, apiKey }
    return { served, lab }
  })

  it('exits with code 0 on a signal', async () => {
    expect(await crossbook.stop(), crossbook.output()).toBe(0)
  })
})
