import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bookFrame, bookHeads } from '#stream/frames'

it('wraps any payload as the data of a JSON frame, whatever the names contain', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 2 ** 45 }),
      fc.array(fc.record({ price: fc.double({ min: 0, max: 1, noNaN: true }), size: fc.nat() })),
      fc.nat(),
      fc.nat(3),
      (venue, marketId, ts, levels, sequence, conflated) => {
        const data = { bids: levels, asks: levels, timestamp: ts }
        const core = Buffer.from(JSON.stringify(data).slice(0, -1))
        const heads = bookHeads(venue, marketId)
        for (const type of ['snapshot', 'update'] as const) {
          const frame = JSON.parse(bookFrame(heads[type], core, { ts, sequence, conflated }).toString())
          // Equal to JSON.stringify: lone surrogates and −0 are written as JSON writes them.
          const mark = { ts, sequence, ...(conflated > 0 && { conflated }) }
          const expectedText = JSON.stringify({ type, venue, marketId, ...mark, data })
          expect(frame).toEqual(JSON.parse(Buffer.from(expectedText).toString()))
        }
      },
    ),
  )
})
