// Pending trades: when each is checked, and how each response of a node changes it.
import { describe, expect, it } from 'vitest'
import {
  type Held,
  Metrics,
  PendingTradeStore,
  parsePendingTransaction,
  type TransactionState,
} from '#marketData/pendingTrades/index'

const to = `0x${'e'.repeat(40)}`
const hashOf = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`
const transaction = (n: number, from = `0x${n.toString(16).padStart(40, '0')}`) => ({
  ...{ hash: hashOf(n), from, to, nonce: 5, input: '0x' },
})
const fill = {
  bookId: '1',
  type: 'Buy',
  shares: 1,
  usd: 0.5,
  price: 0.5,
  maker: null,
  wallet: 'w',
  counterparty: null,
} as const
const at = (mono: number) => ({ now: 1_790_000_000_000 + mono, mono })
const ledgerWith = (...ns: number[]): [PendingTradeStore, Held[]] => {
  const ledger = new PendingTradeStore({ timeoutMs: 60_000 })
  return [ledger, ns.map((n) => ledger.add(transaction(n), [fill, fill], at(0))!)]
}
const mined = (blockNumber: number, succeeded = true): TransactionState => ({ kind: 'mined', blockNumber, succeeded })
const absent = (nonce: number | null = 5): TransactionState => ({ kind: 'absent', nonce })

describe('a settlement', () => {
  it('is numbered fill by fill, and remembered even after it is over', () => {
    const [ledger, [first, second]] = ledgerWith(1, 2)
    expect([first!.first, second!.first, ledger.newest]).toEqual([1, 3, 4])
    expect([1, 2, 3].map((n) => ledger.knows(hashOf(n)))).toEqual([true, true, false])
    expect(ledger.resolve(first!, mined(9), 10, 1)).toEqual({ status: 'confirmed', blockNumber: 9 })
    expect(ledger.knows(hashOf(1))).toBe(true)
    expect(ledger.resolve(first!, mined(9), 10, 2)).toBeNull()
  })

  it('is checked five seconds later, or when its block is final, and ever less often while it is in no block', () => {
    const [ledger, [held]] = ledgerWith(1)
    const isDue = (mono: number, final: number) => ledger.due(mono, final, 10).length === 1
    expect([isDue(4_999, 100), isDue(5_000, 100)]).toEqual([false, true])
    expect(ledger.landed(hashOf(1), 77, 1_700)).toEqual({ held, leadMs: 1_700 })
    expect([isDue(50_000, 76), isDue(1_800, 77)]).toEqual([false, true])
    const dues = [0, 1, 2, 3, 4].map(() => {
      ledger.resolve(held!, absent(), 77, 6_000)
      return held!.dueAt - 6_000
    })
    expect(dues).toEqual([2_000, 4_000, 8_000, 16_000, 16_000])
    expect(ledger.landed(hashOf(1), 78, 7_000)).toEqual({ held, leadMs: null })
  })

  it.each<[string, [TransactionState, mono: number][], unknown]>([
    ['in a block that is not final', [[mined(11), 5_000]], null],
    ['in a final block', [[mined(10), 5_000]], { status: 'confirmed', blockNumber: 10 }],
    ['in a final block, reverted', [[mined(10, false), 5_000]], { status: 'dropped', dropReason: 'reverted' }],
    ['in no block yet', [[absent(), 59_999]], null],
    ['in no block for a minute', [[absent(), 60_000]], { status: 'dropped', dropReason: 'timeout' }],
    ['in no block, sender’s nonce unknown', [[absent(null), 30_000]], null],
    ['nonce used by another transaction, seen once', [[absent(6), 5_000]], null],
    [
      'nonce used by another transaction, then not',
      [
        [absent(6), 5_000],
        [absent(5), 7_000],
      ],
      null,
    ],
    [
      'nonce used by another transaction, then in a block',
      [
        [absent(6), 5_000],
        [mined(12), 7_000],
      ],
      null,
    ],
    [
      'nonce used by another transaction, seen twice',
      [
        [absent(6), 5_000],
        [absent(6), 7_000],
      ],
      { status: 'dropped', dropReason: 'timeout' },
    ],
  ])('%s', (_title, looks, expected) => {
    const [ledger, [held]] = ledgerWith(1)
    const verdicts = looks.map(([state, mono]) => ledger.resolve(held!, state, 10, mono))
    expect(verdicts.at(-1)).toEqual(expected)
    expect(verdicts.slice(0, -1).every((verdict) => verdict === null)).toBe(true)
    expect(ledger.size).toBe(expected === null ? 1 : 0)
  })

  it('that could not be checked for ten minutes is given up', () => {
    const [ledger, [held]] = ledgerWith(1)
    expect(ledger.expire(599_999)).toEqual([])
    expect(ledger.expire(600_000)).toEqual([held])
    expect(ledger.expire(700_000)).toEqual([])
  })
})

it('bounds transactions and fills, with a quarter for senders without a past success', () => {
  const ledger = new PendingTradeStore({ timeoutMs: 60_000, transactionsMax: 8, fillsMax: 40 })
  const add = (n: number, from?: string, fills = 1) => ledger.add(transaction(n, from), Array(fills).fill(fill), at(0))
  const held = add(1, 'known')!
  add(2)
  expect(add(3)).toBeNull()
  ledger.resolve(held, mined(1), 1, 1)
  expect(add(4, 'known', 40)).toBeNull()
  for (const n of [5, 6, 7, 8, 9, 10, 11]) expect(add(n, 'known', 5)).not.toBeNull()
  expect(add(12, 'known')).toBeNull()
  expect(ledger.size).toBe(8)
})

it('parses a transaction that calls one of our contracts, in any letter case, and ignores invalid ones', () => {
  const body = {
    hash: hashOf(10).toUpperCase().replace('0X', '0x'),
    from: `0x${'D'.repeat(40)}`,
    to: `0x${'E'.repeat(40)}`,
    nonce: '0x1f',
    input: '0xAB',
  }
  const read = (over: object) => parsePendingTransaction({ ...body, ...over }, new Set([to]))
  expect(read({})).toEqual({ hash: hashOf(10), from: `0x${'d'.repeat(40)}`, to, nonce: 31, input: '0xab' })
  for (const over of [
    ...[{ to: null }, { to: 'x' }, { to: `0x${'f'.repeat(40)}` }, { hash: '0x1' }, { hash: 7 }, { from: null }],
    ...[
      { nonce: 1 },
      { nonce: '1' },
      { nonce: `0x${'f'.repeat(14)}` },
      { input: 5 },
      { input: `0x${'0'.repeat(262_146)}` },
    ],
  ])
    expect(read(over), JSON.stringify(over).slice(0, 50)).toBeNull()
  for (const none of [null, 'x', 1, []]) expect(parsePendingTransaction(none, new Set([to]))).toBeNull()
})

it('reports the median lead of the newest, and a share once there are enough', () => {
  const measures = new Metrics()
  expect([measures.leadMs, measures.seen]).toEqual([null, null])
  for (const ms of [100, 9_000, 1_700.4, -5, 1_800]) measures.lead(ms)
  expect(measures.leadMs).toBe(1_700)
  for (let n = 0; n < 31; n++) measures.lead(2_500)
  expect(measures.leadMs).toBe(2_500)
  for (let n = 0; n < 19; n++) measures.settle(hashOf(n), n % 2 === 0)
  expect(measures.seen).toBeNull()
  measures.settle(hashOf(0), false)
  measures.settle(hashOf(19), false)
  expect(measures.seen).toEqual({ of: 20, count: 10 })
  for (let n = 100; n < 1_100; n++) measures.settle(hashOf(n), true)
  expect(measures.seen).toEqual({ of: 1_000, count: 1_000 })
})
