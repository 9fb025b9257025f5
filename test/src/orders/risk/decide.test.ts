// The decision alone: which of several limits is named, what is left out, and what may be unknown.
import { expect, it } from 'vitest'
import type { RiskInputs, RiskSubject } from '#orders/executions/ports'
import { findObstacle, reducesRisk } from '#orders/risk/decide'
import type { RiskLimitKind } from '#schemas/riskLimits'
import type { LimitUse } from '#storage/postgres/risk/checkLimits'
import type { RiskLimitRow } from '#storage/postgres/risk/limits'
import type { RiskUse, ScopeUse } from '#storage/postgres/risk/usage'

const subject: RiskSubject = {
  id: 'e',
  accountId: 'a',
  keyId: 'k',
  venue: 'kalshi',
  targetId: null,
  keptRef: null,
  marketId: 'm',
  outcomeId: 'o',
  isBuy: true,
  size: '10',
  notionalUsd: '5',
  price: '0.5',
  onlyReduces: false,
}
const nothing: RiskUse = { openOrders: 0, openUsd: '0', openUsdWhole: '0', net: '0', openBuys: '0', openSells: '0' }
const added: RiskUse = { ...nothing, openOrders: 1, openUsd: '5', openUsdWhole: '5', openBuys: '10' }
const use: ScopeUse = { before: nothing, after: added }
const inputs: RiskInputs = {
  kinds: new Set(['priceCollar', 'dailyLoss', 'exposure']),
  mid: '0.5',
  dayLoss: new Map([['kalshi', '3']]),
  positionLoss: new Map([['kalshi', '1']]),
  worstLoss: '2',
}

let made = 0
const limit = (kind: RiskLimitKind, value: string, more: Partial<RiskLimitRow> = {}): RiskLimitRow => ({
  id: String(++made),
  account_id: 'a',
  key_id: null,
  venue: null,
  kind,
  value,
  on_breach: 'refuse',
  set_by: 'anna',
  set_at: new Date(0),
  ...more,
})
function decide(
  limits: readonly RiskLimitRow[],
  { of = subject, given = inputs, scope = use }: { of?: RiskSubject; given?: RiskInputs | null; scope?: ScopeUse } = {},
) {
  const uses: LimitUse = {
    account: scope,
    of: new Map(limits.map((each) => [each, scope])),
    rates: new Map(limits.map((each) => [each, { count: 5, oldestLeavesInSeconds: 12 }])),
  }
  const obstacle = findObstacle(of, given, limits, uses)
  return obstacle?.kind === 'limit' ? obstacle.breach : obstacle
}

it.each([
  ['notional', '5'],
  ['openNotional', '5'],
  ['openOrders', '1'],
  ['position', '10'],
  ['orderRate', '5'],
  ['priceCollar', '0'],
  ['dailyLoss', '3.000001'],
  ['exposure', '7'],
] as const)('allows what %s allows exactly: %s', (kind, value) => {
  expect(decide([limit(kind, value)])).toBeNull()
})

it.each([
  ['notional', '4.999999', '5'],
  ['openNotional', '4.999999', '5'],
  ['openOrders', '0', '1'],
  ['position', '9.999999', '10'],
  ['orderRate', '4', '5'],
  ['dailyLoss', '3', '3'],
  ['exposure', '6.999999', '7'],
] as const)('refuses what is beyond %s: %s', (kind, value, would) => {
  expect(decide([limit(kind, value)])).toMatchObject({ limit: { kind, value }, would })
})

it('names the first of several in the order of kinds, and says when to try again only for the rate', () => {
  const rate = limit('orderRate', '1')
  const position = limit('position', '1')
  expect(decide([rate, position])).toMatchObject({ limit: position, retryAfterSeconds: undefined })
  expect(decide([rate])).toMatchObject({ limit: rate, retryAfterSeconds: 12 })
})

it('requests what it needs only after everything else has passed', () => {
  const limits = [limit('exposure', '100'), limit('priceCollar', '1'), limit('notional', '5')]
  const unread = decide(limits, { given: null })
  expect(unread).toMatchObject({ kind: 'limits_unread', limits: [{ kind: 'priceCollar' }, { kind: 'exposure' }] })
  expect(decide([...limits, limit('notional', '1')], { given: null })).toMatchObject({ limit: { kind: 'notional' } })
  // A limit that was set since, of a kind that was not read.
  const given = { ...inputs, kinds: new Set<RiskLimitKind>(['priceCollar']) }
  expect(decide(limits, { given })).toMatchObject({ kind: 'limits_unread', limits: [{ kind: 'exposure' }] })
})

it('refuses what is unknown', () => {
  const unknown = new Map([['kalshi', null]])
  for (const [kind, of, given] of [
    ['notional', { ...subject, notionalUsd: null }, inputs],
    ['position', { ...subject, size: null }, inputs],
    ['priceCollar', { ...subject, price: null }, inputs],
    ['priceCollar', subject, { ...inputs, mid: null }],
    ['dailyLoss', subject, { ...inputs, dayLoss: unknown }],
    ['exposure', subject, { ...inputs, worstLoss: null }],
  ] as const)
    expect(decide([limit(kind, '1')], { of, given }), kind).toMatchObject({ limit: { kind }, would: null })
  const scope = { before: { ...nothing, openUsd: null }, after: { ...added, openUsd: null } }
  expect(decide([limit('openNotional', '100')], { scope })).toMatchObject({ would: null })
})

it('never refuses an order that leaves the use as it is, however far beyond the limit that is', () => {
  const scope = { before: { ...added, openOrders: 9 }, after: { ...added, openOrders: 9 } }
  expect(decide([limit('openOrders', '1'), limit('openNotional', '1'), limit('position', '1')], { scope })).toBeNull()
})

it('adds up the venues of a limit', () => {
  const given = {
    ...inputs,
    dayLoss: new Map([
      ['kalshi', '3'],
      ['novig', '4'],
      ['rain', '-2'],
    ]),
  }
  expect(decide([limit('dailyLoss', '5')], { given })).toMatchObject({ would: '5' })
  expect(decide([limit('dailyLoss', '3', { venue: 'kalshi' })], { given })).toMatchObject({ would: '3' })
  expect(decide([limit('dailyLoss', '3', { venue: 'rain' })], { given })).toBeNull()
})

it('credits hedges between venues only for a limit of all venues', () => {
  expect(decide([limit('exposure', '6.999999')])).toMatchObject({ would: '7' })
  const given = {
    ...inputs,
    positionLoss: new Map([
      ['kalshi', '9'],
      ['novig', '9'],
    ]),
    worstLoss: '2',
  }
  expect(decide([limit('exposure', '7')], { given })).toBeNull()
  expect(decide([limit('exposure', '7', { venue: 'kalshi' })], { given })).toMatchObject({ would: '14' })
})

it.each<[name: string, order: Partial<RiskSubject>, after: Partial<RiskUse>, expected: boolean]>([
  ['a sale of what is held', { isBuy: false, size: '5' }, { net: '5', openSells: '5' }, true],
  ['a sale of more', { isBuy: false, size: '6' }, { net: '5', openSells: '6' }, false],
  ['a sale of what is already for sale', { isBuy: false, size: '5' }, { net: '5', openSells: '8' }, false],
  ['a purchase of what is short', { size: '5' }, { net: '-5', openBuys: '5' }, true],
  ['a purchase of more', { size: '6' }, { net: '-5', openBuys: '6' }, false],
  ['a purchase without a position', { size: '5' }, { net: '0', openBuys: '5' }, false],
  ['what the venue only lets close a position', { isBuy: false, notionalUsd: '0' }, { net: '0', openSells: '9' }, true],
  ['an order of unknown size', { size: null }, { net: '-5' }, false],
])('knows whether it reduces risk: %s', (_name, order, after, expected) => {
  expect(reducesRisk({ ...subject, ...order }, { before: nothing, after: { ...nothing, ...after } })).toBe(expected)
})

it.each<[name: string, order: Partial<RiskSubject>, after: RiskUse, expected: boolean]>([
  ['for less', {}, added, true],
  ['for more', {}, { ...added, openBuys: '11' }, false],
  ['at a worse price', {}, { ...added, openUsd: '6' }, false],
  ['of unknown dollar value, to no more at no worse a price', { onlyReduces: true }, { ...added, openUsd: null }, true],
  ['of unknown dollar value', {}, { ...added, openUsd: null }, false],
])('knows whether a modification reduces risk: %s', (_name, order, after, expected) => {
  const change = { ...subject, targetId: 't', ...order }
  expect(reducesRisk(change, { before: added, after })).toBe(expected)
})
