// What proves that an account's lists are complete: answers in pages, rows that cannot be read, and parts without documentation.
import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { createLaneWorld, type Reply, type Seen } from '#test/support/laneWorld'
import { type LaneVenue, lanes } from '#venues/registry'

const wallet = '0x1111111111111111111111111111111111111111'

async function read(
  venue: LaneVenue,
  account: object | null,
  credentials: object | null,
  reply: (seen: Seen) => Reply,
) {
  const { holdings, urls } = lanes[venue]
  const world = await createLaneWorld(venue, Object.keys(urls))
  world.answer(reply)
  try {
    const held = await holdings!.read(
      world.context,
      account === null ? null : holdings!.account!.parse(account),
      credentials === null ? null : holdings!.credentials!.parse(credentials),
    )
    return { held, paths: world.seen.map(({ path }) => path) }
  } finally {
    await world.close()
  }
}

const tokens = ['1'.repeat(77), '2'.repeat(77)]
const polymarketPage = (rows: object[], next: string | null = null): Reply => ({
  body: { data: rows, pagination: { limit: 500, offset: 0, has_more: next !== null, next_cursor: next } },
})

it('polymarket: follows the cursor with the wallet that the venue requires again', async () => {
  const rows = tokens.map((token_id, i) => ({ token_id, condition_id: '0x1', current_size: i + 1.5, avg_price: 0.55 }))
  const { held, paths } = await read('polymarket', { wallet }, null, ({ path }) =>
    path.includes('cursor=') ? polymarketPage([rows[1]!]) : polymarketPage([rows[0]!], 'next'),
  )
  expect(held.positions).toEqual(
    tokens.map((outcomeId, i) => ({ marketId: null, outcomeId, quantity: `${i + 1}.5`, averageCost: '0.55' })),
  )
  expect(held.isComplete).toBe(true)
  expect(paths).toEqual([
    `/v2/positions?user=${wallet}&status=OPEN&limit=500`,
    `/v2/positions?user=${wallet}&cursor=next`,
  ])
})

it('polymarket: a row that cannot be read, or a repeated cursor, makes the list incomplete', async () => {
  const good = { token_id: tokens[0], current_size: '3', avg_price: null }
  const unreadable = await read('polymarket', { wallet }, null, () =>
    polymarketPage([good, { token_id: tokens[1], current_size: 1e-7 }]),
  )
  expect(unreadable.held).toMatchObject({ isComplete: false, positions: [{ quantity: '3', averageCost: null }] })
  const endless = await read('polymarket', { wallet }, null, () => polymarketPage([good], 'same'))
  expect([endless.held.isComplete, endless.paths.length]).toEqual([false, 2])
})

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const kalshiCredentials = { apiKeyId: 'key', privateKeyPem }
const kalshiReply =
  (positions: (path: string) => Reply) =>
  ({ path }: Seen): Reply =>
    path.startsWith('/portfolio/positions')
      ? positions(path)
      : path.startsWith('/portfolio/orders')
        ? { body: { orders: [], cursor: '' } }
        : path.startsWith('/portfolio/fills')
          ? { body: { fills: [], cursor: 'more' } }
          : { body: { balance: 1234, portfolio_value: 0, updated_ts: 1 } }

it('kalshi: reads signed contracts of every page, and the cost of the whole position', async () => {
  const row = (ticker: string, position_fp: string) => ({ ticker, position_fp, market_exposure_dollars: '1.5000' })
  const { held } = await read(
    'kalshi',
    null,
    kalshiCredentials,
    kalshiReply((path) =>
      path.includes('cursor=p2')
        ? { body: { market_positions: [row('KXB', '-2.50'), row('KXC', '0.00')], cursor: '' } }
        : { body: { market_positions: [row('KXA', '3.00')], cursor: 'p2' } },
    ),
  )
  expect(held.positions).toEqual([
    { marketId: 'KXA', outcomeId: 'KXA', quantity: '3', averageCost: '0.5' },
    { marketId: 'KXB', outcomeId: 'KXB-NO', quantity: '2.5', averageCost: '0.6' },
  ])
  expect(held).toMatchObject({ isComplete: true, balances: [{ currency: 'USD', total: null, available: '12.34' }] })
  // More fills than one page shows: none is used.
  expect(held).not.toHaveProperty('recentFills')
})

it('kalshi: is incomplete with a row in an older form', async () => {
  const { held } = await read(
    'kalshi',
    null,
    kalshiCredentials,
    kalshiReply(() => ({ body: { market_positions: [{ ticker: 'KXA', position: 32 }], cursor: '' } })),
  )
  expect([held.positions, held.isComplete]).toEqual([[], false])
})

it('limitless: reads a row as recorded; positions in pools or groups make the list incomplete', async () => {
  const clob = [
    {
      market: {
        slug: 'btc-above-dollar7982448-on-may-11-1000-utc-1777888806248',
        collateralToken: { id: 7, decimals: 6, symbol: 'USDC' },
      },
      positions: {
        no: { cost: '0', fillPrice: '0' },
        yes: { cost: '995720', fillPrice: '991000', marketValue: '999919' },
      },
      tokensBalance: { no: '0', yes: '1004763' },
    },
  ]
  const { held } = await read('limitless', { wallet }, null, () => ({ body: { amm: [], clob, group: [] } }))
  expect(held).toMatchObject({
    isComplete: true,
    positions: [{ outcomeId: `${clob[0]!.market.slug}:yes`, quantity: '1.004763', averageCost: '0.991' }],
    balances: [{ currency: 'USDC', total: null }],
  })
  for (const more of [{ amm: [{}] }, { group: [{}] }, { clob: [...clob, {}] }]) {
    const partial = await read('limitless', { wallet }, null, () => ({ body: { amm: [], clob, group: [], ...more } }))
    expect([partial.held.isComplete, partial.held.positions.length]).toEqual([false, 1])
  }
})

it('hyperliquid: separates outcome tokens from other coins, and is incomplete with an unknown token', async () => {
  const coin = (name: string, more: object = {}) => ({
    coin: name,
    total: '40.0',
    hold: '10.0',
    entryNtl: '20.0',
    ...more,
  })
  const reply =
    (balances: object[]) =>
    (seen: Seen): Reply =>
      seen.text.includes('spotClearinghouseState') ? { body: { balances } } : { body: [] }
  const { held } = await read(
    'hyperliquid',
    { wallet },
    null,
    reply([coin('USDC'), coin('+5160'), coin('+5161', { total: '0.0' })]),
  )
  expect(held).toMatchObject({
    isComplete: true,
    positions: [{ marketId: '516', outcomeId: '#5160', quantity: '40', averageCost: '0.5' }],
    balances: [{ currency: 'USDC', total: '40', available: '30' }],
  })
  const unknown = await read('hyperliquid', { wallet }, null, reply([coin('+99'), coin('+5160', { total: 'many' })]))
  expect([unknown.held.positions, unknown.held.isComplete]).toEqual([[], false])
})

it('opinion: reads the pages that its total announces', async () => {
  const row = (marketId: number) => ({ marketId, tokenId: '9'.repeat(76), sharesOwned: '2.5', avgEntryPrice: '0.4' })
  const reply = ({ path }: Seen): Reply => {
    if (path.startsWith('/quoteToken')) return { body: { errno: 0, result: { list: [] } } }
    if (path.startsWith('/user/balance')) return { body: { errno: 0, result: { balances: [] } } }
    if (path.startsWith('/order')) return { body: { errno: 0, result: { total: 0, list: [] } } }
    const page = Number(/[?&]page=(\d+)/.exec(path)![1])
    const list = Array.from({ length: page === 1 ? 20 : 1 }, (_, i) => row((page - 1) * 20 + i + 1))
    return { body: { errno: 0, result: { total: 21, list } } }
  }
  const { held } = await read('opinion', null, { apiKey: 'k' }, reply)
  expect([held.positions.length, held.isComplete]).toEqual([21, true])
  expect(held.positions[20]).toMatchObject({ marketId: '21', quantity: '2.5', averageCost: '0.4' })
})
