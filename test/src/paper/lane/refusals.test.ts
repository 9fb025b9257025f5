// What the paper exchange refuses, with the code of each, on the routes that a live account uses.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { paperWorkingOrdersMax } from '#schemas/paper'
import type { Reply } from '#test/src/server/http/world'
import { type AccountWorld, createAccountWorld, ended, fillEvent, yes } from '#test/support/paper/accountWorld'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
let here: AccountWorld

beforeEach(async () => {
  here = await createAccountWorld(postgres.pool)
})

const refused = ({ status, json }: Reply): [number, string] => [status, json.error?.code]

async function cancelOf(id: string): Promise<Reply> {
  const built = await here.post(`${id}/cancel`, {})
  return built.status === 200 ? here.post(`${built.json.data.executionId}/submit`, {}) : built
}

async function end(id: string): Promise<void> {
  await here.exchange.apply(await here.lease(), [await here.eventsOf(id, [ended('canceled')])])
}

describe('a submit', () => {
  it('of more than the cash is PAPER_INSUFFICIENT_CASH, and leaves the execution built', async () => {
    const id = await here.build({ price: '0.60', size: 200 })
    const reply = await here.submit(id, {}, 'k')
    expect(refused(reply)).toEqual([409, 'PAPER_INSUFFICIENT_CASH'])
    expect((await here.execution(id)).status).toBe('built')
    expect(refused(await here.submit(id, {}, 'k'))).toEqual([409, 'PAPER_INSUFFICIENT_CASH'])
    expect((await here.account()).balances).toMatchObject([{ cash: '100', reserved: '0' }])
  })

  it('of a sale of more than is held is PAPER_POSITION_TOO_SMALL', async () => {
    const id = await here.build({ isBuy: false })
    expect(refused(await here.submit(id))).toEqual([409, 'PAPER_POSITION_TOO_SMALL'])
  })

  it('in a market that has closed since the build is PAPER_MARKET_CLOSED', async () => {
    const id = await here.build()
    here.listed.market = { ...here.listed.market!, status: 'closed' }
    expect(refused(await here.submit(id))).toEqual([409, 'PAPER_MARKET_CLOSED'])
  })

  it.each(['silent', 'none'] as const)('while the book is %s is PAPER_NO_LIVE_BOOK', async (book) => {
    const id = await here.build()
    here.listed.book = book
    const reply = await here.submit(id)
    expect(refused(reply)).toEqual([503, 'PAPER_NO_LIVE_BOOK'])
    expect(reply.json.error.retryable).toBe(book === 'silent')
  })

  it('beyond the most working orders is PAPER_WORKING_ORDER_CAP', async () => {
    const id = await here.place({ price: '0.01', size: 1 })
    await postgres.pool.query(
      `WITH others AS (
         INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, created_at,
           updated_at)
         SELECT gen_random_uuid(), account_id, key_id, venue, intent, 'acked', build_version, unsigned, unsigned_sha256, bounds, now(), now()
         FROM executions, generate_series(2, $2) WHERE id = $1 RETURNING id
       )
       INSERT INTO paper_orders (execution_id, account_id, key_id, venue, ref, market_id, outcome_id, currency, book_id, complement, is_buy,
         price, size, time_in_force, post_only, fee_model, reserved, placed_at, updated_at)
       SELECT others.id, account_id, key_id, venue, others.id::text, market_id, outcome_id, currency, book_id, complement, is_buy, price, size,
         time_in_force, post_only, fee_model, 0, now(), now()
       FROM others, paper_orders o WHERE o.execution_id = $1`,
      [id, paperWorkingOrdersMax],
    )
    const next = await here.build({ price: '0.01', size: 1 })
    expect(refused(await here.submit(next))).toEqual([409, 'PAPER_WORKING_ORDER_CAP'])
  })
})

describe('a cancel', () => {
  it('of an order that has ended is PAPER_ORDER_NOT_OPEN', async () => {
    const id = await here.place()
    const built = await here.post(`${id}/cancel`, {})
    await end(id)
    const reply = await here.post(`${built.json.data.executionId}/submit`, {})
    expect(refused(reply)).toEqual([409, 'PAPER_ORDER_NOT_OPEN'])
    expect(refused(await here.world.post(`/v1/paper/orders/${id}/cancel`, {}))).toEqual([409, 'PAPER_ORDER_NOT_OPEN'])
  })

  it('of an order that the exchange does not have is PAPER_ORDER_NOT_FOUND', async () => {
    const reply = await here.world.post(`/v1/paper/orders/${randomUUID()}/cancel`, {})
    expect(refused(reply)).toEqual([404, 'PAPER_ORDER_NOT_FOUND'])
    expect(refused(await here.world.get(`/v1/paper/orders/${randomUUID()}`))).toEqual([404, 'PAPER_ORDER_NOT_FOUND'])
  })

  it('of a working order is taken, and the order follows when the cancel reaches the book', async () => {
    const id = await here.place()
    expect((await cancelOf(id)).json.data.status).toBe('acked')
    expect((await here.world.get(`/v1/paper/orders/${id}`)).json.data).toMatchObject({
      state: 'working',
      cancelRequestedAt: expect.any(String),
    })
    await end(id)
    expect((await here.execution(id)).status).toBe('canceled')
  })
})

describe('a modify', () => {
  async function modify(id: string, body: object): Promise<Reply> {
    const built = await here.post(`${id}/modify`, body)
    return built.status === 200 ? here.post(`${built.json.data.executionId}/submit`, {}) : built
  }

  it('reserves what the order holds then', async () => {
    const id = await here.place({ price: '0.60', size: 10 })
    const reply = await modify(id, { price: '0.50', size: 10 })
    expect(reply.json.data?.status, reply.text).toBe('acked')
    // 10 × 0.5 and the largest fee, 0.07 × 10 × 0.25, rounded up to the cent.
    expect((await here.account()).balances[0].reserved).toBe('5.18')
  })

  it('to more than the cash is refused, and changes nothing', async () => {
    const id = await here.place({ price: '0.60', size: 10 })
    const { reserved } = (await here.account()).balances[0]
    expect(refused(await modify(id, { size: 500 }))).toEqual([409, 'PAPER_INSUFFICIENT_CASH'])
    expect((await here.account()).balances[0].reserved).toBe(reserved)
  })
})

describe('a signature or a key in a body', () => {
  it('is accepted, and stored nowhere', async () => {
    const id = await here.build()
    const reply = await here.submit(id, { apiKeyId: 'canary-id', privateKeyPem: 'canary-pem', signature: '0xcanary' })
    expect(reply.json.data?.status, reply.text).toBe('acked')
    const { rows } = await postgres.pool.query<{ text: string }>(
      'SELECT e::text || coalesce(o::text, $2) AS text FROM executions e LEFT JOIN paper_orders o ON o.execution_id = e.id WHERE e.id = $1',
      [id, ''],
    )
    expect(rows[0]!.text).not.toContain('canary')
  })
})

describe('the paper routes', () => {
  it('refuse a live key', async () => {
    here.actAs(randomUUID())
    for (const path of ['account', 'orders', 'fills']) {
      expect(refused(await here.world.get(`/v1/paper/${path}`))).toEqual([403, 'PERMISSION_DENIED'])
    }
  })

  it('show an order with its reservation, and a fill with its evidence', async () => {
    const id = await here.place({ price: '0.60', size: 10 })
    await here.exchange.apply(await here.lease(), [await here.eventsOf(id, [fillEvent('0.55', '4')])])
    expect((await here.world.get('/v1/paper/orders?state=working')).json.data).toMatchObject([
      { executionId: id, filled: '4', state: 'working', side: 'buy', outcomeId: yes },
    ])
    expect((await here.world.get('/v1/paper/fills')).json.data).toMatchObject([
      { executionId: id, price: '0.55', size: '4', cash: '2.2', evidence: { bookEpoch: 1, bookSeq: 7, tradeIds: [] } },
    ])
  })

  it('list fills in both orders, page by page', async () => {
    const id = await here.place({ price: '0.60', size: 10 })
    for (const price of ['0.51', '0.52', '0.53'])
      await here.exchange.apply(await here.lease(), [await here.eventsOf(id, [fillEvent(price, '2')])])
    for (const [query, expected] of [
      ['', ['0.51', '0.52', '0.53']],
      ['&order=newest', ['0.53', '0.52', '0.51']],
    ] as const) {
      const first = await here.world.get(`/v1/paper/fills?limit=2${query}`)
      const next = await here.world.get(`/v1/paper/fills?limit=2${query}&cursor=${first.json.nextCursor}`)
      const prices = [...first.json.data, ...next.json.data].map(({ price }: { price: string }) => price)
      expect(prices).toEqual(expected)
      expect(next.json.nextCursor).toBeUndefined()
    }
  })

  it('pay in once per key, and no more than allowed', async () => {
    const pay = (amount: string, key: string) =>
      here.world.post(
        '/v1/paper/account/deposit',
        { venue: 'kalshi', currency: 'USD', amount },
        {
          headers: { 'idempotency-key': key },
        },
      )
    expect((await pay('50', 'a')).json.data.balances).toMatchObject([{ cash: '150' }])
    const again = await pay('50', 'a')
    expect([again.json.data.balances[0].cash, again.headers['idempotency-replay']]).toEqual(['150', 'true'])
    expect(refused(await pay('60', 'a'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(refused(await pay('2000000', 'b'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('offer a refresh for an order of unknown outcome, and no statement of its owner', async () => {
    const id = await here.place({ price: '0.10', size: 10 })
    await postgres.pool.query(
      "UPDATE executions SET status = 'submitted', updated_at = updated_at - interval '1 hour' WHERE id = $1",
      [id],
    )
    const { data } = (await here.world.get('/v1/exec/orders/in-doubt')).json
    const own = data.find(({ executionId }: { executionId: string }) => executionId === id)
    expect(own.actions.map(({ kind }: { kind: string }) => kind)).toEqual(['refresh'])
  })

  it('pay in only a currency of the venue', async () => {
    const headers = { 'idempotency-key': 'c' }
    const body = { venue: 'kalshi', currency: 'ZZZ', amount: '50' }
    const reply = await here.world.post('/v1/paper/account/deposit', body, { headers })
    expect(refused(reply)).toEqual([400, 'VALIDATION_ERROR'])
    expect((await here.world.get('/v1/paper/account')).json.data.balances).toEqual([])
  })

  it('reset to the start: no order, no position, the start amount', async () => {
    const bought = await here.place({ price: '0.60', size: 10 })
    await here.exchange.apply(await here.lease(), [await here.eventsOf(bought, [fillEvent('0.5', '10')])])
    const working = await here.place({ price: '0.10', size: 10 })
    expect(refused(await here.world.post('/v1/paper/account/reset', {}))).toEqual([400, 'VALIDATION_ERROR'])
    const reply = await here.world.post('/v1/paper/account/reset', { confirm: true })
    expect(reply.json.data, reply.text).toMatchObject({
      positions: [],
      workingOrders: 0,
      resets: 1,
      balances: [{ cash: '100', reserved: '0' }],
    })
    expect((await here.execution(working)).status).toBe('canceled')
  })
})
