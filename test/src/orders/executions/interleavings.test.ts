// Random concurrent requests on a few orders: each order is at the venue once, each history is one that the
// transition table allows, and each transition has one event.

import { expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { isOutcomeUnknown, latestOf } from '#storage/postgres/executions/findOrderChain'
import type { Reply } from '#test/src/server/http/world'
import { executionSuite, idOf } from '#test/support/execution/suite'
import type { VenueMode } from '#test/support/execution/venue'
import { seed } from '#test/support/seed'
import { createPlots } from './crashPlots.ts'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const first = seed
const seeds = Array.from({ length: long ? 100 : 4 }, (_, i) => first + i)

const { pg, worldOf, count } = executionSuite()

it.each(seeds)(
  'seed %i: 400 calls, sixteen at a time',
  async (seed) => {
    const world = await worldOf()
    const { venue } = world
    const { verifyHistory } = createPlots(world, pg.pool)
    const prng = createPrng(`interleavings ${seed}`)
    const pick = <T>(list: readonly T[]): T => list[prng.int(list.length)]!
    /** Execution id to the id its order has at the venue; null for cancellations. */
    const made = new Map<string, string | null>()
    const reservations: { id: string; reservationId: string }[] = []
    const keep = (reply: Reply): Reply => {
      if (reply.status === 200) made.set(idOf(reply), reply.json.data.unsigned.id ?? null)
      return reply
    }
    for (let i = 0; i < 5; i++) keep(await world.build(`b${i}`))

    const act = async (): Promise<Reply | null> => {
      const id = pick([...made.keys()])
      const key = `k${prng.int(150)}`
      switch (prng.int(11)) {
        case 0:
          return keep(await world.build(`b${prng.int(60)}`))
        case 1:
        case 2:
        case 3: {
          const held = prng.chance(0.2) ? reservations.at(-1) : undefined
          return held === undefined
            ? world.submit(id, key)
            : world.submit(held.id, key, { reservationId: held.reservationId })
        }
        case 4:
        case 5:
          return world.refresh(id)
        case 6:
          return keep(await world.cancel(id, key))
        case 7:
          return keep(await world.modify(id, key))
        case 8: {
          const reply = await world.post(`${id}/reservations`, {})
          if (reply.status === 200) reservations.push({ id, reservationId: reply.json.data.reservationId })
          return reply
        }
        case 9: {
          const held = reservations.shift()
          if (held === undefined) return null
          return world.world.call('DELETE', `/v1/exec/novig/orders/${held.id}/reservations/${held.reservationId}`)
        }
        default: {
          const order = made.get(id)
          if (order != null && venue.status.get(order) === 'acked') {
            venue.fills.set(order, [...(venue.fills.get(order) ?? []), `${order} ${prng.int(1e6)}`])
            if (prng.chance(0.5)) venue.status.set(order, 'filled')
          }
          venue.mode = pick<VenueMode>(['accept', 'accept', 'accept', 'drop', 'forget', 'reject', 'refuse'])
          return null
        }
      }
    }
    for (let done = 0; done < 400; done += 16) {
      const replies = await Promise.all(Array.from({ length: 16 }, act))
      for (const reply of replies)
        if (reply !== null) expect([200, 400, 401, 409, 429], `${seed}: ${reply.text}`).toContain(reply.status)
      // Refusals counted for the credentials would end the test early.
      world.circuit().accepted()
    }

    /** An order and its modifications are one: they rest and end as the last of them does. */
    const truthOf = (order: string): string | undefined => {
      const next = venue.replacedBy.get(order)
      return next === undefined ? venue.status.get(order) : truthOf(next)
    }
    for (const [id, order] of made) {
      await verifyHistory(id)
      if (order === null) continue
      expect(venue.placed.filter((placed) => placed === order).length, `${seed}: ${id}`).toBeLessThanOrEqual(1)
      const family = await world.store.findFamily(id)
      const isResting = [family.find((member) => member.id === id), latestOf(family)].every(
        (one) => one?.status === 'acked',
      )
      const before = await world.refresh(id)
      // A missing order has not ended while a modification may have replaced it.
      const hasUnknownMember = (await world.store.findFamily(id)).some(
        (member) => member.id !== id && isOutcomeUnknown(member),
      )
      const truth = isResting && hasUnknownMember && truthOf(order) === 'canceled' ? 'acked' : truthOf(order)
      if (before.status === 200 && truth !== undefined) expect(before.json.data.status, `${seed}: ${id}`).toBe(truth)
      const { rows } = await pg.pool.query<{ key: string }>(
        'SELECT venue_key AS key FROM execution_fills WHERE execution_id = $1',
        [id],
      )
      const [recordedKeys, known] = [rows.map(({ key }) => key), venue.fills.get(order) ?? []]
      expect(new Set(recordedKeys).size, `${seed}: ${id}`).toBe(recordedKeys.length)
      // Fills arrive with a transition: for a resting order those present when it was found, for an ended order all.
      if (truth === 'acked') expect(known, `${seed}: ${id}`).toEqual(expect.arrayContaining(recordedKeys))
      else expect(recordedKeys.toSorted(), `${seed}: ${id}`).toEqual(truth === undefined ? [] : known.toSorted())
    }
    expect(venue.placed.length, 'something happened').toBeGreaterThan(0)
    const twice = `(SELECT execution_id FROM execution_keys WHERE account_id = $1 AND kind = 'submit'
    AND outcome->>'kind' IS DISTINCT FROM 'refused' GROUP BY 1 HAVING count(*) > 1) AS twice`
    expect(await count(twice, [world.accountId]), `${seed}: executions sent under two keys`).toBe(0)
  },
  120_000,
)
