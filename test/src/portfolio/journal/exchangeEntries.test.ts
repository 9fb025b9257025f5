// Stored splits, merges and conversions in the portfolio of their account.
import { expect, it } from 'vitest'
import type { Exchange } from '#schemas/executions'
import { polymarketFill, portfolioSuite } from '#test/support/portfolio/world'

const { worldOf } = portfolioSuite()

const share = (marketId: string, outcomeId: string, size: string) => ({ marketId, outcomeId, size })
const setOf = (kind: 'split' | 'merge', size: string): Exchange => {
  const shares = [share('s1', 'y1', size), share('s1', 'n1', size)]
  return kind === 'split'
    ? { size, gives: [], receives: shares, cash: `-${size}` }
    : { size, gives: shares, receives: [], cash: size }
}

it('counts sets by quantity, cost and cash, and what is sold and merged of them', async () => {
  const world = await worldOf()
  await world.exchange('polymarket', 'split', setOf('split', '10'), '2026-11-02T00:00:00Z')
  const sale = await world.order({
    ...{ venue: 'polymarket', marketId: 's1', outcomeId: 'y1', isBuy: false, currency: 'USDC' },
  })
  await world.fill(sale, 'a', polymarketFill('4', '0.6'), '2026-11-03T00:00:00Z')
  await world.exchange('polymarket', 'merge', setOf('merge', '6'), '2026-11-04T00:00:00Z')
  const { ledger, entries } = await world.reader.read(world.accountId)
  expect(entries.map(({ kind }) => kind).sort()).toEqual(['fill', 'merge', 'split'])
  expect(ledger.positions).toMatchObject([
    { outcomeId: 'n1', quantity: '4', costBasis: '2', realizedPnl: '0' },
    { outcomeId: 'y1', quantity: '0', realizedPnl: '0.4' },
  ])
  // 10 paid, 2.4 and 6 received.
  expect(ledger.cash).toMatchObject([{ venue: 'polymarket', currency: 'USDC', cash: '-1.6', realizedPnl: '0.4' }])
})

it('counts a conversion, and settles the shares that it brought', async () => {
  const world = await worldOf()
  const order = await world.order({ venue: 'polymarket', marketId: 'c1', outcomeId: 'n1', currency: 'USDC' })
  await world.fill(order, 'a', polymarketFill('10', '0.9'), '2026-11-02T00:00:00Z')
  const converted: Exchange = {
    ...{ size: '10', gives: [share('c1', 'n1', '10')], cash: '0' },
    receives: [share('c2', 'y2', '9.9'), share('c3', 'y3', '9.9')],
  }
  await world.exchange('polymarket', 'convert', converted, '2026-11-03T00:00:00Z')
  await world.resolve('polymarket', 'c2', ['y2', 'n2'], [1, 0])
  const { positions } = await world.reader.read(world.accountId)
  expect(positions).toMatchObject([
    { marketId: 'c1', outcomeId: 'n1', quantity: '0', realizedPnl: '0' },
    { marketId: 'c2', outcomeId: 'y2', quantity: '9.9', settlement: { value: '1', unclaimed: '9.9' } },
    { marketId: 'c3', outcomeId: 'y3', quantity: '9.9', costBasis: '4.5' },
  ])
  const { json } = await world.get('statements/2026-11')
  expect(json.data.entries.map(({ kind, size, cash }: Record<string, unknown>) => [kind, size, cash])).toContainEqual([
    'conversion',
    '10',
    '0',
  ])
})

it('counts a transaction that was reported for two executions once', async () => {
  const world = await worldOf()
  for (const [venueRef, size] of [
    ['0xa', '10'],
    ['0xa', '10'],
    ['0xa', '3'],
    ['0xb', '10'],
  ] as const) {
    await world.exchange('polymarket', 'split', setOf('split', size), '2026-11-02T00:00:00Z', { venueRef })
  }
  const { ledger, entries } = await world.reader.read(world.accountId)
  expect(entries).toHaveLength(3)
  expect(ledger.cash).toMatchObject([{ cash: '-23' }])
})

it('does not count what did not complete', async () => {
  const world = await worldOf()
  for (const status of ['built', 'submitted', 'acked', 'failed']) {
    await world.exchange('polymarket', 'split', setOf('split', '10'), '2026-11-02T00:00:00Z', { status })
  }
  const { entries, unreadableExchanges } = await world.reader.read(world.accountId)
  expect([entries, unreadableExchanges]).toEqual([[], []])
})

it('names a completed one that does not say what it exchanged as a gap, in JSON and CSV', async () => {
  const world = await worldOf()
  const at = '2026-11-02T00:00:00Z'
  const split = await world.exchange('polymarket', 'split', {} as Exchange, at)
  const given: Exchange = { size: '10', gives: [], receives: [share('c2', 'y2', '10')], cash: '0' }
  const conversion = await world.exchange('polymarket', 'convert', given, at)
  const executions = [
    { executionId: split, venue: 'polymarket', intent: 'split' },
    { executionId: conversion, venue: 'polymarket', intent: 'convert' },
  ]
  const { json } = await world.get('positions')
  expect(json.data).toEqual([])
  expect(json.gaps.exchanges).toEqual({ total: 2, executions: expect.arrayContaining(executions) })
  const csv = await world.get('positions?format=csv')
  expect(csv.headers).toMatchObject({ 'x-unreadable-exchanges': '2' })
})
