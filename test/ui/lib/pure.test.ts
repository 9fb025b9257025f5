// The dashboard's small pure functions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../../ui/lib/backoff.ts'
import { createFormat } from '../../../ui/lib/format.ts'
import { gapsOf } from '../../../ui/lib/gaps.ts'
import { ladderOf } from '../../../ui/lib/ladder.ts'
import { pinnedRows } from '../../../ui/lib/pinnedRows.ts'
import { hashOf, placeOf } from '../../../ui/lib/router.ts'
import { applyFrame, byEdge, emptySurface, type Surface } from '../../../ui/lib/surface.ts'
import { isWebAddress } from '../../../ui/lib/webAddress.ts'
import { shownRows } from '../../../ui/lib/window.ts'

describe('numbers', () => {
  const format = createFormat('en-US')
  it.each([null, undefined, Number.NaN])('that are unknown are a dash, not a zero: %s', (value) => {
    const { price, usd, count, compact, percent, change, span, time, date } = format
    for (const write of [price, usd, count, compact, percent, change, span, time, date]) expect(write(value)).toBe('—')
  })
  it('that are zero are shown as zero', () => {
    expect([format.price(0), format.usd(0), format.count(0), format.span(0)]).toEqual(['0.00', '$0.00', '0', '0 ms'])
  })
  it('are formatted for the locale', () => {
    expect(format.price(0.4255)).toBe('0.4255')
    expect(format.usd(-1234.5)).toBe('-$1,234.50')
    expect([format.size(999.456), format.size(1_234.56), format.size(null)]).toEqual(['999.46', '1,235', '—'])
    expect([format.percent(0.0125), format.percent(1.5)]).toEqual(['1.25%', '150.00%'])
    expect(createFormat('de-DE').count(1234.5)).toBe('1.234,5')
    expect([format.change(0.06), format.change(-0.06)]).toEqual(['+0.06', '-0.06'])
    expect([format.span(1_400), format.span(90_000), format.span(172_800_000)]).toEqual(['1.4 s', '1.5 min', '2 d'])
  })
})

describe('decimals written as text', () => {
  const { decimal, gain } = createFormat('en-US')
  it('are rounded to what a reader needs, and never to zero', () => {
    expect(['0', '1234.567', '0.44', '0.12345', '0.000045'].map(decimal)).toEqual([
      ...['0', '1,234.57', '0.44', '0.1235', '0.000045'],
    ])
  })
  it('have a sign if they are a gain or a loss', () => {
    expect(['0', '1.5', '-0.25', '-0.00001'].map(gain)).toEqual(['0', '+1.5', '-0.25', '-0.00001'])
  })
  it('that are unknown are a dash', () => {
    expect([decimal(null), gain(undefined)]).toEqual(['—', '—'])
  })
})

describe('a ladder', () => {
  it('has the requested number of rows, with the depth up to each', () => {
    const book = {
      bids: [
        { price: 0.4, size: 10 },
        { price: 0.39, size: 30 },
      ],
      asks: [{ price: 0.42, size: 20 }],
    }
    expect(ladderOf(book, 3)).toEqual({
      bids: [{ price: 0.4, size: 10, depth: 10, share: 0.25 }, { price: 0.39, size: 30, depth: 40, share: 1 }, null],
      asks: [{ price: 0.42, size: 20, depth: 20, share: 0.5 }, null, null],
      spread: 0.02,
    })
  })
  it('of one side has no spread', () => {
    expect(ladderOf({ bids: [], asks: [{ price: 0.42, size: 20 }] }, 1).spread).toBeNull()
  })
})

describe('a surface', () => {
  interface Row {
    id: string
    netEdge: number | null
  }
  const idOf = ({ id }: Row): string => id
  const row = (id: string, netEdge: number | null): Row => ({ id, netEdge })
  const computedAt = '2026-11-23T00:00:00.000Z'
  const whole = { i: 1, n: 1 }
  const rowsOf = (surface: Surface<Row>): Row[] => [...surface.rows.values()]
  const apply = (...frames: Parameters<typeof applyFrame<Row>>[1][]): Surface<Row> =>
    frames.reduce<Surface<Row>>((surface, frame) => applyFrame(surface, frame, idOf), emptySurface())

  it('is shown once all parts of its snapshot have come, in any order', () => {
    const part = (i: number, id: string) =>
      ({ kind: 'snapshot', seq: 7, computedAt, part: { i, n: 2 }, rows: [row(id, 1)] }) as const
    expect(apply(part(2, 'b')).seq).toBeNull()
    expect(
      rowsOf(apply(part(2, 'b'), part(1, 'a')))
        .map(idOf)
        .toSorted(),
    ).toEqual(['a', 'b'])
  })
  it('changes by deltas, and starts again with a snapshot', () => {
    const snapshot = { kind: 'snapshot', seq: 7, computedAt, part: whole, rows: [row('a', 1), row('b', 2)] } as const
    const delta = {
      kind: 'delta',
      seq: 9,
      computedAt,
      part: whole,
      upserts: [row('a', 3), row('c', null)],
      removes: ['b'],
    } as const
    expect(
      rowsOf(
        apply({ ...snapshot, rows: [...snapshot.rows] }, { ...delta, upserts: [...delta.upserts], removes: ['b'] }),
      ),
    ).toEqual([row('a', 3), row('c', null)])
    const again = { ...snapshot, seq: 10, rows: [row('d', 0)] }
    expect(rowsOf(apply({ ...snapshot, rows: [...snapshot.rows] }, again))).toEqual([row('d', 0)])
  })
  it('ignores a delta before its snapshot, or an older one', () => {
    const old = { kind: 'delta' as const, seq: 3, computedAt, part: whole, upserts: [row('a', 9)] }
    expect(rowsOf(apply(old))).toEqual([])
    const snapshot = { kind: 'snapshot' as const, seq: 7, computedAt, part: whole, rows: [row('a', 1)] }
    expect(rowsOf(apply(snapshot, old))).toEqual([row('a', 1)])
  })
  it('is sorted by best edge, rows without an edge last', () => {
    expect([row('a', null), row('b', -1), row('c', 2), row('d', null)].toSorted(byEdge).map(idOf)).toEqual([
      'c',
      'b',
      'a',
      'd',
    ])
  })
})

describe('drawn rows', () => {
  it('are few, and include all visible ones, however long the list', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.integer({ min: 20, max: 60 }),
        fc.nat(4_000_000),
        fc.integer({ min: 1, max: 2_000 }),
        (count, rowHeight, top, height) => {
          const { from, to } = shownRows(count, rowHeight, top, height)
          expect(from).toBeGreaterThanOrEqual(0)
          expect(to).toBeLessThanOrEqual(count)
          expect(to - from).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 17)
          for (const seen of [Math.floor(top / rowHeight), Math.floor((top + height - 1) / rowHeight)])
            if (seen < count) expect(seen >= from && seen < to).toBe(true)
        },
      ),
    )
  })
})

describe('places', () => {
  it('round-trip, whatever the ids', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 3 }), (words) => {
        expect(placeOf(hashOf('market', ...words))).toEqual({ page: 'market', words })
      }),
    )
  })
  it('without words are the status page, and keep broken escapes unchanged', () => {
    expect([placeOf('').page, placeOf('#').page, placeOf('#/').page]).toEqual(['status', 'status', 'status'])
    expect(placeOf('#/market/%zz')).toEqual({ page: 'market', words: ['%zz'] })
  })
})

it('retries a lost connection after half a second to half a minute', () => {
  expect([backoffMs(0, 0), backoffMs(0, 1), backoffMs(3, 1), backoffMs(50, 1)]).toEqual([250, 500, 4_000, 30_000])
})

it('counts failures as gaps, not unwatched periods', () => {
  const gap = { from: null, to: null, reason: null }
  const gaps = [
    { kind: 'gap' as const, ...gap },
    { kind: 'closed' as const, ...gap },
  ]
  expect(
    gapsOf([
      { gaps, gapsTruncated: false },
      { gaps, gapsTruncated: true },
    ]),
  ).toEqual({ gaps: 2, isAtLeast: true })
})

it.each([
  ['https://kalshi.com/markets/x', true],
  ['http://127.0.0.1:8080/x', true],
  ['javascript:alert(1)', false],
  [' JavaScript:alert(1)', false],
  ['data:text/html,x', false],
  ['//kalshi.com', false],
  ['', false],
])('links only web addresses sent by venues: %s %s', (address, isLinked) => {
  expect(isWebAddress(address)).toBe(isLinked)
})

it('rows under the mouse keep their places: they change, leave a mark when they are removed, and new ones come last', () => {
  const row = (id: string, edge = 0) => ({ id, edge })
  const base = [row('a'), row('b'), row('c')]
  const current = [row('d'), row('c', 5), row('a', 1)]
  expect(pinnedRows(base, current, ({ id }) => id)).toEqual({
    rows: [row('a', 1), row('b'), row('c', 5), row('d')],
    gone: new Set(['b']),
  })
})
