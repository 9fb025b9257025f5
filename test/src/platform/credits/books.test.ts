// Several processes on one ledger: whatever they do and however they end, the ledger adds up and nothing is lost.
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { Principal } from '#platform/auth/principal'
import { leaseMax } from '#platform/credits/leaseSize'
import type { Reservation } from '#platform/credits/port'
import { createCreditStore } from '#storage/postgres/credits/store'
import type { Pool } from '#storage/postgres/pool'
import { withPostgres } from '#test/support/postgres'
import { booksOf } from './ledger.ts'
import { grant, letLapse, newAccount, type Process, startProcess } from './support.ts'

const postgres = withPostgres()
const runs = process.env.CROSSBOOK_TEST_LONG === '1' ? 500 : 30
const processCount = 3
const accountCount = 2

const who = { process: fc.nat(processCount - 1), account: fc.nat(accountCount - 1) }
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('burst'),
      ...who,
      calls: fc.integer({ min: 1, max: 40 }),
      credits: fc.constantFrom(1, 2, 10),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refused'),
      ...who,
      calls: fc.constant(3),
      credits: fc.constantFrom(1, 10),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('open'), ...who, calls: fc.constant(1), credits: fc.constantFrom(1, 10) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('close', 'drop'),
      ...who,
      calls: fc.constant(1),
      credits: fc.constant(1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('settle', 'idle', 'crash', 'restart', 'lapse', 'sweep'),
      ...who,
      calls: fc.constant(1),
      credits: fc.constant(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('grant'),
      ...who,
      calls: fc.constant(1),
      credits: fc.integer({ min: 1, max: 400 }),
    }),
  },
)

/** A store that knows when all its calls are answered. */
function counted(pool: Pool) {
  const store = createCreditStore(pool)
  let running = 0
  const count =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      running++
      try {
        return await work(...args)
      } finally {
        running--
      }
    }
  return {
    store: {
      takeLease: count(store.takeLease),
      extendLease: count(store.extendLease),
      settle: count(store.settle),
      sweep: count(store.sweep),
    },
    quiet: () => vi.waitFor(() => expect(running).toBe(0), { interval: 2, timeout: 10_000 }),
  }
}

it('the ledger adds up whatever processes do: only answered requests are charged, and a crash loses no more than its lease', async () => {
  const { pool } = postgres
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.nat(600), async (steps, first) => {
      const { store, quiet } = counted(pool)
      const start = (): Process => startProcess(pool, { store })
      const processes = Array.from({ length: processCount }, start)
      const accounts: Principal[] = []
      for (let i = 0; i < accountCount; i++) accounts.push(await newAccount(pool, 'free', first))
      const all = [...processes]
      const answered = accounts.map(() => 0)
      /** The most that may be missing from the ledger, per account. */
      const forgiven = accounts.map(() => 0)
      const open: { reservation: Reservation; process: Process; account: number; credits: number }[] = []
      const reserve = async (process: Process, account: number, credits: number): Promise<Reservation | null> => {
        try {
          return await process.meter.reserve(accounts[account]!, credits, 'ask')
        } catch (error) {
          expect(error).toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
          return null
        }
      }
      /** While no lease was lost: the leases known to a process equal those in the ledger. */
      const agree = async (): Promise<void> => {
        if (steps.some(({ kind }) => kind === 'lapse')) return
        await quiet()
        const { rows } = await pool.query<{ holder_id: string; credits: string }>(
          'SELECT holder_id, sum(credits) AS credits FROM credit_leases GROUP BY holder_id',
        )
        const held = new Map(rows.map((row) => [row.holder_id, Number(row.credits)]))
        for (const { meter, holderId } of processes) {
          const { leased, unsettled, returning } = meter.totals()
          expect(leased + unsettled + returning, 'a process and the ledger agree on its leases').toBe(
            held.get(holderId) ?? 0,
          )
        }
      }
      for (const { kind, process: p, account, calls, credits } of steps) {
        await agree()
        const process = processes[p]!
        if (kind === 'burst' || kind === 'refused') {
          await Promise.all(
            Array.from({ length: calls }, async () => {
              const reservation = await reserve(process, account, credits)
              if (kind === 'refused') reservation?.release()
              else if (reservation !== null) {
                reservation.keep()
                answered[account]! += credits
              }
            }),
          )
        } else if (kind === 'open') {
          const reservation = await reserve(process, account, credits)
          if (reservation !== null) open.push({ reservation, process, account, credits })
        } else if (kind === 'close' || kind === 'drop') {
          const ended = open.shift()
          if (kind === 'drop') ended?.reservation.release()
          else if (ended !== undefined) {
            ended.reservation.keep()
            answered[ended.account]! += ended.credits
          }
        } else if (kind === 'settle') await process.meter.settle()
        else if (kind === 'idle') {
          process.clock.advance(31_000)
          await quiet()
          process.clock.advance(1_000)
        } else if (kind === 'lapse') await letLapse(pool, process.holderId)
        else if (kind === 'sweep') await store.sweep()
        else if (kind === 'grant') await grant(pool, accounts[account]!.accountId, credits)
        else {
          // A request in progress when its process ends was never answered.
          for (const request of open.filter((one) => one.process === process)) open.splice(open.indexOf(request), 1)
          if (kind === 'crash') {
            for (const [i, { accountId }] of accounts.entries()) {
              const { spent } = process.meter.unsettledOf(accountId)
              expect(spent).toBeLessThanOrEqual(leaseMax)
              forgiven[i]! += spent
            }
          } else await process.meter.stop()
          await quiet()
          // Reservations of requests that never ended lapse with the process.
          await letLapse(pool, process.holderId)
          processes[p] = start()
          all.push(processes[p]!)
        }
      }
      await agree()
      for (const { reservation } of open) reservation.release()
      await quiet()
      for (const { meter } of processes) await meter.stop()
      await quiet()
      while ((await store.sweep()) > 0);
      const writtenOff = all.reduce((sum, { meter }) => sum + meter.totals().writtenOff, 0)
      for (const [i, { accountId }] of accounts.entries()) {
        const { rowCount } = await pool.query('SELECT 1 FROM credit_accounts WHERE account_id = $1', [accountId])
        if (rowCount === 0) continue
        const books = await booksOf(pool, accountId)
        expect(books.held, 'nothing stays reserved').toBe(0)
        const missing = answered[i]! - books.usage
        expect(missing, 'nothing is counted that was not answered').toBeGreaterThanOrEqual(0)
        expect(missing, 'no more is missing than was unsettled at a crash').toBeLessThanOrEqual(forgiven[i]!)
        const unpaid = books.usage - (books.granted - books.balance)
        expect(unpaid, 'counted usage equals paid usage').toBeGreaterThanOrEqual(0)
        expect(unpaid).toBeLessThanOrEqual(writtenOff)
      }
      // Only a process whose lease lapsed without its knowledge overspends.
      if (!steps.some(({ kind }) => kind === 'lapse')) expect(writtenOff).toBe(0)
    }),
    { numRuns: runs },
  )
}, 300_000)
