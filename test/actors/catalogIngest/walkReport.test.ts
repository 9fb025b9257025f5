import { expect, it } from 'vitest'
import { WalkReport } from '#actors/catalogIngest/walkReport'

function walked(rows: number, fields: readonly [name: string, count: number][] = [], markets = 100, full = true) {
  const report = new WalkReport()
  report.begin()
  if (rows > 0) report.leftOut(rows)
  for (const [name, count] of fields) for (let n = 0; n < count; n++) report.lostField(name)
  return report.succeeded({ markets, full })
}

it('a walk that could read everything, or all but a few rows, is ok', () => {
  expect(walked(0)).toEqual({ state: 'ok', reason: null })
  expect(walked(2, [['volume', 3]])).toEqual({ state: 'ok', reason: null })
})

it('many unreadable rows are reported, also when no market is left', () => {
  const reason = '30 rows of the last catalog walk could not be read'
  expect(walked(30)).toEqual({ state: 'rowsLost', reason })
  expect(walked(30, [], 0)).toEqual({ state: 'rowsLost', reason })
})

it('a full walk without any row is reported; one of changes may be empty', () => {
  expect(walked(0, [], 0)).toEqual({ state: 'rowsLost', reason: 'the last catalog walk found no markets' })
  expect(walked(0, [], 0, false).state).toBe('ok')
})

it('a field that many rows lost is reported by its name', () => {
  expect(
    walked(0, [
      ['volume_24h_fp', 90],
      ['subtitle', 6],
    ]),
  ).toEqual({
    state: 'fieldsLost',
    reason: 'the field volume_24h_fp of 90 rows of the last catalog walk could not be read',
  })
})

it('walks that keep failing are reported until one succeeds; counts are of one walk', () => {
  const report = new WalkReport()
  report.begin()
  report.leftOut(50)
  expect(report.failed('no answer')).toBeNull()
  report.begin()
  expect(report.unreadableRows).toBe(0)
  expect(report.failed('no answer')).toEqual({
    state: 'failing',
    reason: 'the last 2 catalog walks failed: no answer',
  })
  report.begin()
  expect(report.succeeded({ markets: 5, full: true }).state).toBe('ok')
  expect(report.failed('no answer')).toBeNull()
})
