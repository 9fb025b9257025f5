import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArbitrageRecords, type RecordedRow, republishMs } from '#arbitrage/opportunityHistory'
import type { ArbitrageRecord } from '#schemas/topics'

const row = (netMicros: number, executable = true): RecordedRow => {
  const bytes = Buffer.from(`{"netEdge":${netMicros / 1e6}}`)
  return { executable, venueA: 'kalshi', venueB: 'polymarket', netMicros, bytes, size: bytes.length }
}

function world() {
  const rows = new Map<string, RecordedRow>()
  const recorded: ArbitrageRecord[] = []
  /** Edges of the rows whose bytes were requested. */
  const written: number[] = []
  const write = ({ netMicros }: RecordedRow): void => void written.push(netMicros)
  const records = new ArbitrageRecords({ get: (id) => rows.get(id), keys: () => [...rows.keys()], write }, (record) =>
    recorded.push(record),
  )
  const publish = (changed: readonly string[], at: number): void => {
    for (const _ of records.published(changed, at));
  }
  return { rows, recorded, written, records, publish }
}

describe('opportunity intervals for the tape', () => {
  it('an interval starts with the first executable row, keeps its best edge, and ends with the publication without it', () => {
    const { rows, recorded, written, publish } = world()
    for (const [at, net, executable] of [
      [100, 5_000_000, false],
      [200, 1_000_000, true],
      [300, 3_000_000, true],
      [400, 2_000_000, true],
      [500, 2_000_000, false],
    ] as const) {
      rows.set('c:kalshi:polymarket', row(net, executable))
      publish(['c:kalshi:polymarket'], at)
    }
    expect(recorded.at(-1)).toEqual({
      rowId: 'c:kalshi:polymarket',
      venueYes: 'kalshi',
      venueNo: 'polymarket',
      firstSeen: 200,
      lastSeen: 500,
      ended: true,
      bestEdgeMicros: 3_000_000,
      bestAt: 300,
      best: '{"netEdge":3}',
    })
    expect(recorded.map(({ ended }) => ended)).toEqual([false, true])
    expect(written).toEqual([1_000_000, 3_000_000])
  })

  it('an ongoing interval is recorded again, although its row does not change', () => {
    const { rows, recorded, publish } = world()
    rows.set('a', row(1_000_000))
    publish(['a'], 0)
    publish([], republishMs - 1)
    expect(recorded.length).toBe(1)
    publish([], republishMs)
    expect(recorded.at(-1)).toMatchObject({ firstSeen: 0, lastSeen: republishMs, ended: false })
  })

  it('withheld rows end at their last publication, and later rows start a new interval', () => {
    const { rows, recorded, records, publish } = world()
    rows.set('a', row(1_000_000))
    publish(['a'], 10)
    publish([], 20)
    records.withheld()
    expect(recorded.at(-1)).toMatchObject({ firstSeen: 10, lastSeen: 20, ended: true })
    publish([], 500)
    expect(recorded.at(-1)).toMatchObject({ firstSeen: 500, ended: false })
  })

  it('withholding during a long publication stops its recording, and the next one is recorded completely', () => {
    const { rows, recorded, records, publish } = world()
    const ids = Array.from({ length: 1_000 }, (_, i) => `row${i}`)
    for (const id of ids) rows.set(id, row(1_000_000))
    const looking = records.published(ids, 10)
    looking.next()
    const begun = records.size
    expect(begun).toBeLessThan(ids.length)
    records.withheld()
    for (const _ of looking);
    expect(records.size).toBe(0)
    expect(recorded.length).toBe(2 * begun)
    publish([], 500)
    expect(records.size).toBe(ids.length)
  })

  it('after any history the recorded intervals equal the runs of executable publications', () => {
    const step = fc.record({
      executable: fc.boolean(),
      gone: fc.boolean(),
      net: fc.integer({ min: -5, max: 5 }),
      withheld: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { rows, recorded, records, publish } = world()
        const runs: { from: number; to: number; best: number }[] = []
        let run: (typeof runs)[number] | null = null
        steps.forEach(({ executable, gone, net, withheld }, at) => {
          if (withheld) {
            records.withheld()
            if (run !== null) runs.push(run)
            run = null
          }
          if (gone) rows.delete('a')
          else rows.set('a', row(net, executable))
          publish(['a'], at)
          if (!gone && executable) {
            run ??= { from: at, to: at, best: net }
            run.to = at
            run.best = Math.max(run.best, net)
          } else if (run !== null) {
            runs.push({ ...run, to: at })
            run = null
          }
        })
        records.withheld()
        if (run !== null) runs.push(run)
        expect(
          recorded
            .filter(({ ended }) => ended)
            .map(({ firstSeen, lastSeen, bestEdgeMicros }) => ({
              from: firstSeen,
              to: lastSeen,
              best: bestEdgeMicros,
            })),
        ).toEqual(runs)
        expect(records.size).toBe(0)
      }),
    )
  })
})
