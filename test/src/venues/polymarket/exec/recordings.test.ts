// Recorded trades parsed like the lane does: as taker, as each of the makers, and as a stranger.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sharedFixture } from '#test/support/fixtures'
import { fillOf } from '#venues/polymarket/exec/trades'
import { ClobOrder, ClobTrade, statusOf } from '#venues/polymarket/exec/wire'

const names = ['trades', 'user_trade1', 'user_trade2', 'user_trade3', 'user_trade4']
const fileOf = (name: string) => sharedFixture(`polymarket/nautilus/ws/${name}.json`)
const missing = fileOf('trades') === null

it.skipIf(missing).each(names)('%s (skipped without ../shared/fixtures)', (name) => {
  const raw = JSON.parse(readFileSync(fileOf(name)!, 'utf8'))
  const trade = ClobTrade.parse(raw)
  expect(fillOf(trade, trade.taker_order_id.toUpperCase().replace('0X', '0x'), 0)).toMatchObject({
    key: `${raw.id}:${raw.bucket_index}`,
    filledAt: Number(raw.match_time) * 1_000,
    fill: { trader_side: 'TAKER', size: raw.size, price: raw.price, asset_id: raw.asset_id, side: raw.side },
  })
  for (const maker of raw.maker_orders) {
    expect(fillOf(trade, maker.order_id, 0)?.fill).toMatchObject({
      trader_side: 'MAKER',
      size: maker.matched_amount,
      price: maker.price,
      asset_id: maker.asset_id,
    })
  }
  expect(fillOf(trade, `0x${'0'.repeat(64)}`, 0)).toBeNull()
  // A trade contains other people’s API keys, which must not appear in a fill.
  for (const owner of [raw.owner, ...raw.maker_orders.map((maker: { owner: string }) => maker.owner)])
    expect(JSON.stringify(fillOf(trade, trade.taker_order_id, 0))).not.toContain(owner)
})

it.skipIf(missing).each([
  ['order_placement', 'acked'],
  ['order_cancel', 'canceled'],
])('%s is %s (skipped without ../shared/fixtures)', (name, status) => {
  expect(statusOf(ClobOrder.parse(JSON.parse(readFileSync(fileOf(name)!, 'utf8'))).status)).toBe(status)
})
