import { expect, it } from 'vitest'
import { WalkReport } from '#actors/catalogIngest/walkReport'

function walked(rows: number, fields: readonly [name: string, count: number][] = [], markets = 100, full = true) {
  const report = new WalkReport()
  report.begin()
  if (rows > 0) report.leftOut(rows)
  for (const [name, count] of fields) for (let n = 0; n < count; n++) report.lostField(name)
  return report.succeeded({ markets, full })
}

it('reports ok for a walk that read everything, or all but a few rows', () => {
  expect(walked(0)).toEqual({ state: 'ok', reason: null })
  expect(walked(2, [['volume', 3]])).toEqual({ state: 'ok', reason: null })
})

it('reports many unreadable rows, also when no market is left', () => {
  const reason = '30 rows of the last catalog walk could not be read'
  expect(walked(30)).toEqual({ state: 'rowsLost', reason })
  expect(walked(30, [], 0)).toEqual({ state: 'rowsLost', reason })
})

it('reports a full walk without rows; an incremental one may be empty', () => {
  expect(walked(0, [], 0)).toEqual({ state: 'rowsLost', reason: 'the last catalog walk found no markets' })
  expect(walked(0, [], 0, false).state).toBe('ok')
})

it('reports by name a field that many rows lost', () => {
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

it('reports repeatedly failing walks until one succeeds; counts are per walk', () => {
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
