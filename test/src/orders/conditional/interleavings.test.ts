// Fault 27: random concurrent operations on every order, on real PostgreSQL with many connections. Two processes trigger, fire and
// expire while callers cancel, report, reserve, submit, release and re-arm. In every order of events a confirmed cancel excludes a submit,
// an end deletes the artifact, a group has one winner, and every history is one that the transition table allows.

import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { isTransition } from '#orders/conditional/transitions'
import type { ConditionalStatus } from '#schemas/conditional'
import { limits, noon, openConditionalOrders, sha256 } from '#test/support/conditional/book'
import {
  armMany,
  createProcess,
  ignoreUnavailable,
  inParallel,
  type Planned,
  type Process,
  plan,
  type VenueResponse,
} from '#test/support/conditional/manyOrders'
import { withPostgres } from '#test/support/postgres'
import { seed } from '#test/support/seed'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const orders = long ? 100_000 : 120
/** Few, so that they interfere. */
const ordersAtOnce = Math.min(orders, 250)
const ends = ['canceled', 'expired', 'fire_failed', 'fired', 'superseded']
const oneMsLater = new Date(noon.getTime() + 1)

const pg = withPostgres({ pool: { statementTimeoutMs: 60_000 } })

it(
  `${orders} orders, seed ${seed}: cancel or submit, never both`,
  async () => {
    const book = await openConditionalOrders(pg.pool)
    const prng = createPrng(`conditional interleavings ${seed}`)
    const processes = [createProcess(pg.url, book, 14), createProcess(pg.url, book, 14)]
    const pick = <T>(list: readonly T[]): T => list[prng.int(list.length)]!
    const responseOf = (): VenueResponse => (prng.chance(0.7) ? 'accepts' : prng.chance(0.7) ? 'rejects' : 'is silent')
    const seen = new Set<ConditionalStatus>()
    try {
      for (let done = 0; done < orders; done += ordersAtOnce) {
        let ocoGroupId: string | null = null
        const batch = Array.from({ length: ordersAtOnce }, () => {
          // A third are in groups of two or more.
          ocoGroupId = prng.chance(0.15) ? randomUUID() : prng.chance(0.5) ? ocoGroupId : null
          const fireMode = prng.chance(0.5) ? 'hosted' : 'client'
          return plan({ ocoGroupId, fireMode, ...(prng.chance(0.3) ? { expiresAt: oneMsLater } : {}) })
        })
        await armMany(pg.pool, book, batch)

        /** Execution id to the response its callers received. */
        const canceled = new Set<string>()
        const claimed = new Set<string>()
        const mine = new Map(batch.map(({ id, executionId }) => [executionId, id]))
        const held = new Map<string, string>()
        const submit = async (
          { claim, answer }: Process,
          executionId: string,
          reservationId?: string,
        ): Promise<void> => {
          const right = reservationId === undefined ? {} : { reservationId }
          const result = await claim(executionId, right).catch(ignoreUnavailable)
          if (result?.kind !== 'claimed') return
          expect(claimed.has(executionId), 'sent once').toBe(false)
          claimed.add(executionId)
          await answer(executionId, responseOf())
        }
        const act = async (here: Process, { executionId, fireMode, ocoGroupId }: Planned): Promise<void> => {
          const { orders: store, executions } = here
          const { accountId } = book
          const id = mine.get(executionId)!
          switch (prng.int(8)) {
            case 0:
            case 1: {
              const result = await store.cancel({ accountId, id, key: randomUUID(), bodySha256: sha256(id), at: noon })
              if (result.kind === 'canceled') canceled.add(id)
              return
            }
            case 2:
            case 3: {
              const reservation = {
                id: randomUUID(),
                executionId,
                accountId,
                at: noon,
                expiresAt: new Date(noon.getTime() + 60_000),
              }
              const made = await executions.reserve(reservation, 'lab')
              if (made.kind !== 'reserved') return
              held.set(executionId, made.row.id)
              return prng.chance(0.6) ? submit(here, executionId, made.row.id) : undefined
            }
            case 4:
              return submit(here, executionId, held.get(executionId))
            case 5: {
              const outcome = pick(['fired', 'not_submitted'] as const)
              const venueRef = outcome === 'fired' && prng.chance(0.2) ? randomUUID() : null
              await store.report({ accountId, id, outcome, venueRef, reason: 'r', at: noon })
              return
            }
            case 6: {
              const reservationId = held.get(executionId)
              if (reservationId !== undefined) await executions.releaseReservation(reservationId, noon)
              return
            }
            default: {
              const wanted = await book.wanted({
                executionId,
                fireMode,
                ocoGroupId: prng.chance(0.3) ? ocoGroupId : null,
              })
              const result = await store.arm(wanted, limits)
              if (result.kind === 'armed') mine.set(executionId, wanted.id)
            }
          }
        }

        const fires = new Set<string>()
        const fireOnce = (executionId: string): VenueResponse => {
          expect(fires.has(executionId), 'fired once').toBe(false)
          fires.add(executionId)
          return responseOf()
        }
        /** Each process does this in a loop. */
        const turns: ((here: Process) => Promise<unknown>)[] = [
          ({ orders: store, triggerAndFire, triggerEachAndFire }) => {
            const ids = [...new Set(Array.from({ length: 30 }, () => mine.get(pick(batch).executionId)!))]
            if (prng.chance(0.3)) return triggerEachAndFire(ids.slice(0, 8), fireOnce)
            if (prng.chance(0.5)) return triggerAndFire(ids, fireOnce)
            return store.trigger(
              ids.map((id) => ({ id, evidence: { n: 1 } })),
              noon,
            )
          },
          ({ fireDue }) => fireDue(20, fireOnce),
          // A halt re-arms the orders it meets.
          ({ fireDue }) => fireDue(5, fireOnce, true),
          ({ orders: store }) => store.expireDue({ limit: 10, at: oneMsLater }),
        ]
        const acts = [...batch, ...batch, ...batch].map((one) => (here: Process) => act(here, one))
        const between = batch.slice(0, batch.length / 2).map((_, i) => turns[i % turns.length]!)
        const all = [...acts, ...between].sort(() => prng.next() - 0.5)
        await inParallel(all, 14, async (work) => {
          await work(pick(processes)).catch(ignoreUnavailable)
        })
        while ((await processes[0]!.fireDue(100, () => 'accepts')) > 0);

        for (const status of await verify(batch, { canceled, claimed })) seen.add(status)
        // These are checked; without them the next queries stay fast.
        await pg.pool.query('TRUNCATE executions, oco_groups, outbox CASCADE')
      }
      if (long) expect([...seen].toSorted(), 'every end occurred').toEqual(expect.arrayContaining(ends))
    } finally {
      await Promise.all(processes.map(({ close }) => close()))
    }
  },
  long ? 3_000_000 : 60_000,
)

async function verify(
  batch: readonly Planned[],
  { canceled, claimed }: { canceled: ReadonlySet<string>; claimed: ReadonlySet<string> },
): Promise<ConditionalStatus[]> {
  const ids = batch.map(({ executionId }) => executionId)
  const { rows } = await pg.pool.query<CheckedRow>(
    `SELECT c.id, c.status, c.execution_id, c.sealed IS NOT NULL AS sealed, c.fire_mode, c.oco_group_id, e.status AS execution,
       e.venue_ref IS NOT NULL AS placed, o.winner_id,
       c.id = (SELECT l.id FROM conditional_orders l WHERE l.execution_id = c.execution_id ORDER BY l.seq DESC LIMIT 1) AS latest,
       (SELECT (count(*) FILTER (WHERE a.event = 'submit') - count(*) FILTER (WHERE a.event = 'refused'))::int
        FROM execution_audit a WHERE a.execution_id = e.id) AS sent,
       (SELECT json_agg(json_build_object('from', v.from_status, 'to', v.to_status, 'actor', v.actor, 'evidence', v.evidence) ORDER BY v.id)
        FROM conditional_events v WHERE v.conditional_id = c.id) AS story
     FROM conditional_orders c JOIN executions e ON e.id = c.execution_id
       LEFT JOIN oco_groups o ON o.account_id = c.account_id AND o.id = c.oco_group_id
     WHERE c.execution_id = ANY ($1)`,
    [ids],
  )
  expect(new Set(rows.map(({ execution_id }) => execution_id)).size).toBe(batch.length)
  const fired = new Map<string, number>()
  const placed = new Map<string, CheckedRow[]>()
  const reportedAtVenue = new Set(
    rows.flatMap(({ execution_id, story }) =>
      story.some(({ evidence }) => evidence?.venueRef != null) ? [execution_id] : [],
    ),
  )
  for (const row of rows) {
    const where = JSON.stringify(row)
    const { id, status, execution, story } = row
    // The history follows the transition table, and the status is its last entry.
    story.forEach(({ from, to }, i) => {
      expect(from, where).toBe(i === 0 ? null : story[i - 1]!.to)
      expect(from === null ? to === 'armed' : isTransition(from, to), where).toBe(true)
    })
    expect(story.at(-1)!.to, where).toBe(status)
    expect(row.sealed, where).toBe(row.fire_mode === 'hosted' && ['armed', 'triggered', 'firing'].includes(status))
    // Cancel or submit: an order that was confirmed as canceled is never sent, unless it was armed again later.
    if (canceled.has(id)) expect(status, where).toBe('canceled')
    if (status === 'canceled' && row.latest) expect([execution, row.sent], where).toEqual(['built', 0])
    if (claimed.has(row.execution_id)) expect(row.sent, where).toBe(1)
    expect(row.sent, where).toBeLessThanOrEqual(1)
    // When the owner reports that another order of the group has fired, this one ends at once, although the venue may have it.
    const { from, actor } = story.at(-1)!
    const isEndedByWord = status === 'superseded' && (actor === 'api' || from === 'firing')
    if (row.latest && ['expired', 'superseded', 'fire_failed'].includes(status) && !isEndedByWord)
      expect(['built', 'failed'], where).toContain(execution)
    if (status === 'fired') {
      // A report during an unknown outcome is accepted if it names the venue order, whatever the venue answers later.
      expect(row.placed || story.at(-1)!.evidence?.venueRef != null, where).toBe(true)
    }
    if (row.oco_group_id === null) continue
    if (status === 'fired') {
      fired.set(row.oco_group_id, (fired.get(row.oco_group_id) ?? 0) + 1)
      expect(row.winner_id, where).toBe(id)
    }
    const isAtVenue = execution === 'acked' || execution === 'submitted'
    // An order that was not sent from here is at the venue only if its owner reported it.
    if (isAtVenue && row.sent === 0) expect(reportedAtVenue.has(row.execution_id), where).toBe(true)
    if (row.latest && isAtVenue && row.sent > 0)
      placed.set(row.oco_group_id, [...(placed.get(row.oco_group_id) ?? []), row])
  }
  expect(
    [...fired].filter(([, n]) => n > 1),
    'groups with two winners',
  ).toEqual([])
  expect(
    [...placed.values()].filter(({ length }) => length > 1).map((group) => JSON.stringify(group)),
    'groups that were sent twice',
  ).toEqual([])
  return rows.map(({ status }) => status)
}

interface CheckedRow {
  id: string
  status: ConditionalStatus
  execution_id: string
  sealed: boolean
  fire_mode: string
  oco_group_id: string | null
  execution: string
  placed: boolean
  winner_id: string | null
  latest: boolean
  sent: number
  story: {
    from: ConditionalStatus | null
    to: ConditionalStatus
    actor: string
    evidence: { venueRef?: string | null } | null
  }[]
}
