import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { leaseMin } from '#platform/credits/leaseSize'
import { createCreditStore } from '#storage/postgres/credits/store'
import { createPool } from '#storage/postgres/pool'
import { withPostgres } from '#test/support/postgres'
import { booksOf } from './ledger.ts'
import { grant, letLapse, newAccount, plans, spend, startProcess } from './support.ts'

const postgres = withPostgres()

describe('the meter', () => {
  it('waits for its first lease and then answers at once', async () => {
    const { meter } = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 1_000)
    const first = meter.reserve(principal, 1, 'read')
    expect(first).toBeInstanceOf(Promise)
    ;(await first).keep()
    for (let i = 0; i < 20; i++) {
      const next = meter.reserve(principal, 1, 'read')
      expect(next).not.toBeInstanceOf(Promise)
      ;(await next).keep()
    }
    expect(meter.balanceOf(principal)).toBe(1_000 - 21)
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toEqual({
      balance: 979,
      held: 0,
      granted: 1_000,
      usage: 21,
    })
  })

  it('renews before the lease runs out, so that no request waits', async () => {
    const { meter } = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 10_000)
    await spend(meter, principal)
    while (meter.totals().leased * 2 >= leaseMin) {
      const reservation = meter.reserve(principal, 1, 'read')
      expect(reservation).not.toBeInstanceOf(Promise)
      ;(await reservation).keep()
    }
    // No more requests follow.
    await vi.waitFor(() => expect(meter.totals().leased).toBeGreaterThan(leaseMin * 0.9))
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ held: 0 })
  })

  it('charges nothing for what was released, and ends each reservation once', async () => {
    const { meter } = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 10)
    const kept = await meter.reserve(principal, 2, 'build')
    const released = await meter.reserve(principal, 3, 'build')
    released.release()
    released.keep()
    released.release()
    kept.keep()
    kept.release()
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 8, held: 0, usage: 2 })
  })

  it('serves 200 reads at the end of the balance exactly as far as it goes', async () => {
    const { meter } = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 120)
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => spend(meter, principal)))
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    expect(refused).toHaveLength(80)
    expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['INSUFFICIENT_CREDITS']))
    expect(meter.totals().refused).toBe(80)
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toEqual({ balance: 0, held: 0, granted: 120, usage: 120 })
  })

  it('serves 200 reads of ten credits at once while there are enough', async () => {
    const { meter } = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 5_000)
    await Promise.all(Array.from({ length: 200 }, () => spend(meter, principal, 10)))
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 3_000, held: 0, usage: 2_000 })
  })

  it('leaves credits that are too few for an expensive call to cheaper ones', async () => {
    const { meter } = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 5)
    const dear = () => expect(spend(meter, principal, 10)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    await dear()
    for (let i = 0; i < 5; i++) {
      await spend(meter, principal)
      await dear()
    }
    await expect(spend(meter, principal)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 0, held: 0, usage: 5 })
  })

  it('finds credits that another process returned', async () => {
    const [one, other] = [startProcess(postgres.pool), startProcess(postgres.pool)]
    const principal = await newAccount(postgres.pool, 'free', 12)
    await spend(one.meter, principal)
    await spend(other.meter, principal)
    const underWay = await one.meter.reserve(principal, 5, 'read')
    // Five are in progress, five are free: too few at this moment.
    await expect(spend(other.meter, principal, 10)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    underWay.release()
    await one.meter.stop()
    other.clock.advance(1_000)
    await spend(other.meter, principal, 10)
    await other.meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 0, held: 0, usage: 12 })
  })

  it('takes a grant into account within a second of a refusal', async () => {
    const { meter, clock } = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free')
    await expect(spend(meter, principal)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    await grant(postgres.pool, principal.accountId, 5)
    clock.advance(1_000)
    await spend(meter, principal)
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 4, held: 0 })
  })

  it('grants the month’s included credits once, whatever happens at the same time, and again with the next month', async () => {
    const principal = await newAccount(postgres.pool, 'builder')
    const processes = Array.from({ length: 4 }, () => startProcess(postgres.pool))
    await Promise.all(processes.map(({ meter }) => spend(meter, principal)))
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ granted: 500 })
    for (const { meter } of processes) await meter.stop()
    const { meter } = startProcess(postgres.pool, { clock: new ManualClock(Date.now() + 31 * 86_400_000) })
    await spend(meter, principal)
    await meter.stop()
    // The remainder stays.
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ granted: 1_000, balance: 995 })
  })

  it('counts the calls of an unlimited account, and takes nothing', async () => {
    const { meter } = startProcess(postgres.pool)
    const unlimited = await newAccount(postgres.pool, 'enterprise')
    expect(meter.reserve(unlimited, 10, 'page')).not.toBeInstanceOf(Promise)
    await spend(meter, unlimited, 10, 'page')
    expect(meter.balanceOf(unlimited)).toBeNull()
    expect(meter.unsettledOf(unlimited.accountId).usage).toMatchObject([{ operationId: 'page', calls: 1, credits: 10 }])
    await meter.stop()
    const { rows } = await postgres.pool.query('SELECT calls, credits FROM credit_usage WHERE account_id = $1', [
      unlimited.accountId,
    ])
    expect(rows).toEqual([{ calls: '1', credits: '10' }])
    const ledger = await postgres.pool.query('SELECT 1 FROM credit_ledger WHERE account_id = $1', [unlimited.accountId])
    expect(ledger.rows).toEqual([])
  })

  it('reads the ledger and unsettled usage as of one moment, whatever is settled meanwhile', async () => {
    const store = createCreditStore(postgres.pool)
    const committed = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    let held = false
    const { meter, clock } = startProcess(postgres.pool, {
      store: {
        ...store,
        async settle(settlement) {
          const settled = await store.settle(settlement)
          if (held) {
            committed.resolve()
            await answered.promise
          }
          return settled
        },
      },
    })
    const principal = await newAccount(postgres.pool, 'free', 100)
    const { accountId } = principal
    const balance = async (read = () => accountState(accountId)) => {
      const [{ balance: inBooks }, { spent }] = await meter.readWithUnsettled(accountId, read)
      return inBooks - spent
    }
    const accountState = (id: string) =>
      store.creditState(id, { month: new Date(clock.now()).toISOString().slice(0, 7).concat('-01'), allowances: {} })
    for (let i = 0; i < 10; i++) await spend(meter, principal)

    // Settled after the ledger was read.
    let settlements = 0
    const before = async () => {
      const found = await accountState(accountId)
      if (settlements++ === 0) await meter.settle()
      return found
    }
    expect(await balance(before)).toBe(90)
    expect(settlements).toBe(2)

    // Settled in the ledger, which this process does not know yet.
    for (let i = 0; i < 10; i++) await spend(meter, principal)
    held = true
    const settling = meter.settle()
    await committed.promise
    const reading = balance()
    held = false
    answered.resolve()
    await settling
    expect(await reading).toBe(80)
    await meter.stop()
  })

  it('returns what a dead process held, and charges what it had settled', async () => {
    const dead = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 80)
    for (let i = 0; i < 5; i++) await spend(dead.meter, principal)
    await dead.meter.settle()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 75, held: 5 })
    // It sends nothing any more; another one needs every credit there is.
    await letLapse(postgres.pool, dead.holderId)
    const { meter } = startProcess(postgres.pool)
    await Promise.all(Array.from({ length: 75 }, () => spend(meter, principal)))
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toEqual({ balance: 0, held: 0, granted: 80, usage: 80 })
  })

  it('resumes after its leases lapsed without spending credits that others have by now', async () => {
    const sleeper = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 160)
    await spend(sleeper.meter, principal)
    const underWay = await sleeper.meter.reserve(principal, 4, 'read')
    await letLapse(postgres.pool, sleeper.holderId)
    const { meter } = startProcess(postgres.pool)
    await Promise.all(Array.from({ length: 160 - 30 }, () => spend(meter, principal)))
    await createCreditStore(postgres.pool).sweep()
    await meter.stop()
    sleeper.clock.advance(6 * 60_000)
    await vi.waitFor(async () => expect((await booksOf(postgres.pool, principal.accountId)).usage).toBe(131))
    underWay.keep()
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => spend(sleeper.meter, principal)))
    await sleeper.meter.stop()
    const books = await booksOf(postgres.pool, principal.accountId)
    expect(books).toMatchObject({ balance: 0, held: 0 })
    const written = sleeper.meter.totals().writtenOff
    expect(books.usage - written).toBe(160)
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length - written).toBe(160 - 131 - 4)
  })

  it('continues on its lease while the database is down, then reports it, and loses nothing', async () => {
    const principal = await newAccount(postgres.pool, 'free', 80)
    let down = false
    const store = createCreditStore(postgres.pool)
    const nowhere = createCreditStore(createPool({ url: 'postgres://u:p@127.0.0.1:1/x', log: silentLog }))
    const { meter, clock } = startProcess(postgres.pool, {
      store: {
        takeLease: (wish) => (down ? nowhere : store).takeLease(wish),
        extendLease: (wish) => (down ? nowhere : store).extendLease(wish),
        settle: (settlement) => (down ? nowhere : store).settle(settlement),
        sweep: () => (down ? nowhere : store).sweep(),
      },
    })
    await spend(meter, principal)
    down = true
    for (let i = 0; i < 9; i++) await spend(meter, principal)
    await expect(spend(meter, principal)).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE', retryAfterSeconds: 1 })
    await expect(meter.settle()).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE' })
    down = false
    clock.advance(1_000)
    await vi.waitFor(async () => expect((await booksOf(postgres.pool, principal.accountId)).usage).toBe(10))
    await spend(meter, principal)
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 69, held: 0, usage: 11 })
  })

  it('settles once what it had to send twice', async () => {
    const principal = await newAccount(postgres.pool, 'free', 80)
    const store = createCreditStore(postgres.pool)
    let lost = 1
    const { meter } = startProcess(postgres.pool, {
      store: {
        ...store,
        // Committed, but its response never arrives.
        async settle(settlement) {
          const settled = await store.settle(settlement)
          if (lost-- > 0) throw new Error('connection reset')
          return settled
        },
      },
    })
    await spend(meter, principal, 3)
    await expect(meter.settle()).rejects.toThrow('connection reset')
    await spend(meter, principal, 2)
    await meter.stop()
    expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 75, held: 0, usage: 5 })
  })

  it('keeps a lease granted while a settlement that did not know of it was in progress', async () => {
    const principal = await newAccount(postgres.pool, 'free', 44)
    const store = createCreditStore(postgres.pool)
    const extended = Promise.withResolvers<void>()
    const settled = Promise.withResolvers<void>()
    let extending: Promise<unknown> | null = null
    const { meter, holderId } = startProcess(postgres.pool, {
      store: {
        ...store,
        extendLease: (wish) => {
          extending = extended.promise.then(() => store.extendLease(wish))
          return extending as ReturnType<typeof store.extendLease>
        },
        settle: async (settlement) => {
          const answer = await store.settle(settlement)
          await settled.promise
          return answer
        },
      },
    })
    const reservation = await meter.reserve(principal, 5, 'read')
    await vi.waitFor(() => expect(extending).not.toBeNull())
    reservation.keep()
    // Its renewal waits; the settlement is committed and answers late.
    const settling = meter.settle()
    await vi.waitFor(async () => expect((await booksOf(postgres.pool, principal.accountId)).balance).toBe(39))
    extended.resolve()
    await extending
    // All resulting work is done.
    await setImmediate()
    settled.resolve()
    await settling
    const { leased, returning } = meter.totals()
    const { rows } = await postgres.pool.query('SELECT credits FROM credit_leases WHERE holder_id = $1', [holderId])
    expect(leased).toBeGreaterThan(0)
    expect(leased + returning).toBe(Number(rows[0].credits))
    await meter.stop()
    expect((await booksOf(postgres.pool, principal.accountId)).held).toBe(0)
  })

  it('returns idle credits and forgets the account', async () => {
    const { meter, clock } = startProcess(postgres.pool)
    const principal = await newAccount(postgres.pool, 'free', 80)
    await spend(meter, principal)
    clock.advance(30_000)
    await vi.waitFor(async () => {
      clock.advance(1_000)
      expect(await booksOf(postgres.pool, principal.accountId)).toMatchObject({ balance: 79, held: 0 })
      expect(meter.totals().accounts).toBe(0)
    })
    await meter.stop()
    expect(clock.pendingCount).toBe(0)
  })

  it('holds no more accounts than it may', async () => {
    const { meter } = startProcess(postgres.pool, { accountsMax: 2 })
    const [a, b, c] = [
      await newAccount(postgres.pool, 'free', 8),
      await newAccount(postgres.pool, 'free', 8),
      await newAccount(postgres.pool, 'free', 8),
    ]
    await spend(meter, a!)
    await spend(meter, b!)
    expect(() => meter.reserve(c!, 1, 'read')).toThrow('too many accounts')
    expect(meter.totals().accounts).toBe(2)
    await meter.stop()
  })

  it('is unlimited with any key of an account that has an unlimited one', async () => {
    const { meter } = startProcess(postgres.pool)
    const free = await newAccount(postgres.pool, 'free')
    await postgres.pool.query(
      `INSERT INTO api_keys (account_id, sha256, prefix, plan, scopes)
       VALUES ($1, decode(repeat('ab', 32), 'hex'), 'xb_live_x', 'enterprise', '{read}')`,
      [free.accountId],
    )
    for (let i = 0; i < 3; i++) await spend(meter, free)
    expect(plans.free.creditsPerMonth).toBe(0)
    expect(meter.balanceOf(free)).toBeNull()
    await meter.stop()
  })
})
