// Which strings are coins, and which market they belong to.
import { expect, it } from 'vitest'
import { bookRef, outcomeNumberOf } from '#venues/hyperliquid/ids'

it('every coin refers to its own book, and nothing else is a coin', () => {
  expect(bookRef('#5160')).toEqual({ bookId: '#5160', complement: false })
  expect(bookRef('#5161')).toEqual({ bookId: '#5161', complement: false })
  expect(bookRef('#0')).not.toBeNull()
  for (const id of ['', '#', '5160', '+5160', '#5162', '#00', '#01', 'BTC', '@107', '#123456789', '#5160 ']) {
    expect(bookRef(id), id).toBeNull()
  }
})

it('a market is named by its number or by either coin', () => {
  expect(['516', '#5160', '#5161', '0', '#1'].map(outcomeNumberOf)).toEqual([516, 516, 516, 0, 0])
  for (const id of ['', '0516', '#516', '#2', '-1', '12345678']) expect(outcomeNumberOf(id), id).toBeNull()
})
