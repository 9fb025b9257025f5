import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Log, silentLog } from '#core/log'
import { row } from '#venues/shared/data/row'
import { readLongList, readRows, shapeReader } from '#venues/shared/data/rows'

const Market = row(z.object({ id: z.string(), price: z.number().nullish(), size: z.number().nullish() }))
const market = { what: 'market', name: 'id', read: shapeReader(Market) }

function world() {
  const warnings: string[] = []
  const log: Log = Object.create(silentLog, {
    warn: { value: (_fields: unknown, words: string) => warnings.push(words) },
  })
  const counts = { leftOut: 0, lost: 0 }
  const context = {
    log,
    leftOut(rows: number) {
      counts.leftOut += rows
    },
    lostField: () => void counts.lost++,
  }
  return { context, counts, warnings }
}
const cutOff = 'a list was truncated: too many rows, or too many unreadable ones'

it('a list of a thousand rows is read completely, whatever is wrong with them', () => {
  const { context, counts, warnings } = world()
  const rows = Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? {} : { id: `${n}`, price: 'x', size: [] }))
  expect(readRows(context, rows, market)).toHaveLength(500)
  expect(counts).toEqual({ leftOut: 500, lost: 1_000 })
  expect(warnings).not.toContain(cutOff)
})

it.each([
  ['unreadable rows', () => ({})],
  ['rows that lose a field', (n: number) => ({ id: `${n}`, price: 'x' })],
])('a list of very many %s is truncated, and the remaining rows are counted as left out', (_, made) => {
  const { context, counts, warnings } = world()
  const seen: unknown[] = []
  const read = (raw: unknown) => {
    seen.push(raw)
    return market.read(raw)
  }
  const rows = [...Array.from({ length: 9_000 }, (__, n) => made(n)), { id: 'last' }]
  const good = readRows(context, rows, { ...market, read })
  expect(good.map(({ id }) => id)).not.toContain('last')
  expect(seen.length).toBeLessThan(3_000)
  expect(counts.leftOut).toBe(rows.length - good.length)
  expect(warnings).toContain(cutOff)
})

it('a list of readable rows is limited to 10,000', () => {
  const { context, counts } = world()
  const rows = Array.from({ length: 10_001 }, (_, n) => ({ id: `${n}` }))
  expect(readRows(context, rows, market)).toHaveLength(10_000)
  expect(counts).toEqual({ leftOut: 1, lost: 0 })
  expect(readRows(context, rows.slice(1), market)).toHaveLength(10_000)
  expect(counts).toEqual({ leftOut: 1, lost: 0 })
})

it('a long list is read completely in parts, so that other work can run', async () => {
  const { context, counts } = world()
  const rows = Array.from({ length: 12_000 }, (_, n) => (n < 6_000 ? {} : { id: `${n}`, price: 'x' }))
  let others = 0
  let reading = true
  const other = (): void => {
    others++
    if (reading) setImmediate(other)
  }
  other()
  expect(await readLongList(context, rows, market)).toHaveLength(6_000)
  reading = false
  expect(counts).toEqual({ leftOut: 6_000, lost: 6_000 })
  expect(others).toBeGreaterThan(20)
})
