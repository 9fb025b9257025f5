// Every adapter on the real routes against the lab of its venue, when a response is about another order of the same account, and when a
// query uses the key of another account. Each venue's case states what its responses identify: an adapter without one does not compile.
import { expect, it } from 'vitest'
import type { SendOutcome, SendRequest } from '#net/http'
import { posterOf } from '#test/support/execution/labTable'
import { executionSuite } from '#test/support/execution/suite'
import { laneCases, laneVenues, openLane } from '#test/support/laneCases'
import { readBody } from '#test/support/laneLab'
import { type LaneContext, relayWithinMs } from '#venues/lane'
import { type LaneVenue, lanes } from '#venues/registry'

const { pg, worldOf, count } = executionSuite()

/** Sits between an adapter and its lab: records responses and replays them. */
function tamper({ http, sender }: Pick<LaneContext, 'http' | 'sender'>, orderPath: string) {
  let kept: unknown[] | null = null
  let replayed: unknown[] | null = null
  let placed: SendOutcome | null = null
  let isSwapped = false
  const passing = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (replayed !== null) return (replayed.length > 1 ? replayed.shift() : replayed[0]) as T
    const answer = await ask()
    kept?.push(answer)
    return answer
  }
  const isOrder = ({ url, text }: SendRequest): boolean => url.includes(orderPath) || text?.includes(orderPath) === true
  return {
    http: { request: (request: never) => passing(() => http.request(request)) },
    sender: {
      send: async (request: SendRequest) => {
        const sent = await passing(() => sender.send(request))
        if (!isOrder(request) || replayed !== null) return sent
        if (isSwapped) return placed!
        placed = sent
        return sent
      },
    },
    swap: async <T>(act: () => Promise<T>): Promise<T> => {
      isSwapped = true
      return act().finally(() => {
        isSwapped = false
      })
    },
    keep: async (act: () => Promise<unknown>): Promise<unknown[]> => {
      kept = []
      await act()
      return kept
    },
    replay: async <T>(answers: readonly unknown[], act: () => Promise<T>): Promise<T> => {
      replayed = [...answers]
      return act().finally(() => {
        replayed = null
      })
    },
  }
}

async function tableOf(venue: LaneVenue) {
  const { here, order, credentials, signed } = await openLane(venue)
  const between = tamper(here.world.context, laneCases[venue].orderPath)
  const world = await worldOf({
    lanes: [lanes[venue]],
    clock: here.world.clock,
    contextOf: (signal) => ({ ...here.world.context, http: between.http as never, sender: between.sender, signal }),
  })
  const post = posterOf(world, venue)
  await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 100000)', [world.accountId])
  let keys = 0
  const place = async (contracts: number) => {
    const built = await post('build', laneCases[venue].sized(order, contracts), `b${keys++}`)
    expect(built.status, built.text).toBe(200)
    const { executionId: id, unsigned } = built.json.data
    const body = { ...credentials, ...(await signed(unsigned, 'order')) }
    const submit = async () => (await post(`${id}/submit`, body, `s${id}`)).json.data
    return { id: id as string, submit }
  }
  const look = async (id: string) => {
    const reply = await post(`${id}/refresh`, readBody(lanes[venue], credentials))
    return reply.json.data ?? reply.json.error
  }
  const row = async (id: string) => (await world.get(`/v1/exec/executions/${id}`)).json.data
  return { here, world, between, place, look, row }
}

const sizes = { ours: 30, others: 40, lost: 20 }

type Table = Awaited<ReturnType<typeof tableOf>>

it.each(laneVenues)(
  '%s: ignores a response about another order, and what another account is not shown',
  async (venue) => {
    const table = await tableOf(venue)
    try {
      await anothersAnswers(venue, table)
      const { asks } = laneCases[venue].answers
      if (asks === 'anybody' || asks === 'owner') expect(lanes[venue].refresh!.asks).toBe(asks)
      else await anothersKey(venue, table)
    } finally {
      await table.here.close()
    }
  },
  60_000,
)

async function anothersAnswers(venue: LaneVenue, { here, world, between, place, look, row }: Table): Promise<void> {
  const { answers, shows } = laneCases[venue]
  const { clock } = here.world
  // Another customer of ours trades with the same account at the venue.
  world.actAs(await world.newAccount())
  const other = await place(sizes.others)
  const { venueRef: othersRef } = await other.submit()
  expect(othersRef).toEqual(expect.any(String))
  clock.advance(1_000)
  // A pool's order is filled in another way than that of a book.
  if (venue !== 'rain') here.trade('sell', here.bid, sizes.others)
  clock.advance(70_000)
  const othersRows = await between.keep(() => look(other.id))

  world.actAs(world.accountId)
  const first = await place(sizes.ours)
  const response = await between.swap(first.submit)
  if (answers.acceptance === 'silent') expect(response.status).toMatch(/acked|filled/)
  else {
    expect(response.status, JSON.stringify(response)).toBe('submitted')
    const found = await look(first.id)
    if (shows.lost) expect(found).toMatchObject({ status: 'acked', fills: [] })
    expect([response.venueRef, (await row(first.id)).venueRef]).not.toContain(othersRef)
  }

  const second = await place(sizes.ours + 1)
  const before = await second.submit()
  expect(before.status).toBe('acked')
  const seen = await between.replay(othersRows, () => look(second.id))
  expect(seen.observation?.reason ?? seen.code).toEqual(expect.any(String))
  const after = await row(second.id)
  expect([after.status, after.venueRef], JSON.stringify(seen)).toEqual(['acked', before.venueRef])
  expect(await count('execution_fills WHERE execution_id = ANY($1::uuid[])', [[first.id, second.id]])).toBe(0)
}

async function anothersKey(venue: LaneVenue, { here, place, look }: Table): Promise<void> {
  const { answers, shows } = laneCases[venue]
  const { lab, world } = here
  const isNamed = answers.asks === 'key'
  const lost = await place(sizes.lost)
  lab.faults.order({ fault: 'drop' })
  expect((await lost.submit()).status).toBe('submitted')
  const { rows } = await pg.pool.query<{ mark: Buffer | null }>(
    'SELECT submitted_as AS mark FROM executions WHERE id = $1',
    [lost.id],
  )
  const own = rows[0]!.mark
  expect(own !== null).toBe(isNamed)
  const mark = (as: Buffer | null) =>
    pg.pool.query('UPDATE executions SET submitted_as = $2 WHERE id = $1', [lost.id, as])
  lab.faults.recover()
  lab.faults.hide({ what: 'orders' })
  // Later than any venue accepts a late copy by its rules.
  world.clock.advance(relayWithinMs + 35 * 60_000)
  const unknown = /it is not known with which key/
  const anothers = isNamed ? /a different key than it was submitted/ : /do not say whose they are/
  for (const [as, reason] of [[Buffer.alloc(32, 7), anothers] as const, [null, unknown] as const]) {
    await mark(as)
    for (let looks = 0; looks < 2; looks++) {
      world.clock.advance(20_000)
      const seen = await look(lost.id)
      expect(seen).toMatchObject({ status: 'submitted', observation: { reason: expect.stringMatching(reason) } })
    }
  }
  const held = 'executions WHERE id = $1 AND missing_since IS NULL AND spend_day IS NOT NULL'
  expect(await count(held, [lost.id])).toBe(1)
  await mark(own)
  lab.faults.recover()
  expect((await look(lost.id)).status).toBe(shows.lost ? 'acked' : 'submitted')
}
