import { expect, test } from 'vitest'
import { bookHash } from '#lab/polymarket/encode'

const level = (price: string) => ({ price, size: '100' })
const book = {
  market: '0xaabbcc',
  asset_id: '100',
  timestamp: '123456789',
  hash: 'whatever stood here',
  bids: [level('0.3'), level('0.4')],
  asks: [level('0.6'), level('0.7')],
  min_order_size: '100',
  tick_size: '0.01',
  neg_risk: false,
  last_trade_price: '0.5',
}

test('a book’s hash equals the one computed by the venue’s clients', () => {
  expect(bookHash(book)).toBe('0458ea5755c9f73d64a14636fa5c36ed460ec394')
  expect(bookHash({ ...book, timestamp: '', bids: [], asks: [] })).toBe('74c6a7c81c1d572f1c877b7d3e25b80c336d8a6e')
})
