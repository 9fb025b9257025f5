import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { withPostgres } from '#test/support/postgres'
import { booksOf } from './ledger.ts'
import { newAccount, spend, startProcess } from './support.ts'

const postgres = withPostgres()
const holder = fileURLToPath(new URL('./holder.main.ts', import.meta.url))
const leaseTtlMs = 2_000

it('a process killed while it holds a lease costs the account nothing beyond what it settled', async () => {
  const { pool, url } = postgres
  const principal = await newAccount(pool, 'free', 200)
  const [settled, unsettled] = [20, 3]
  const child = spawn(
    process.execPath,
    [holder, url, principal.accountId, principal.keyId, leaseTtlMs, settled, unsettled].map(String),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  try {
    const [printed] = await once(child.stdout, 'data')
    expect(String(printed)).toBe('spent\n')
  } finally {
    child.kill('SIGKILL')
  }
  await once(child, 'exit')
  const left = await booksOf(pool, principal.accountId)
  expect(left).toMatchObject({ balance: 180, usage: settled })
  expect(left.held).toBeGreaterThanOrEqual(unsettled)

  const { meter } = startProcess(pool, { clock: systemClock })
  let answered = 0
  await vi.waitFor(
    async () => {
      for (; answered < 180; answered++) await spend(meter, principal)
    },
    { timeout: 20_000, interval: 100 },
  )
  await expect(spend(meter, principal)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
  await meter.stop()
  expect(await booksOf(pool, principal.accountId)).toEqual({ balance: 0, held: 0, granted: 200, usage: 200 })
}, 60_000)
