import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '#portfolio/ledger/entry'
import { foldLedger, foldLedgerYielding } from '#portfolio/ledger/fold'
import { orderEntries } from '#portfolio/ledger/order'
import {
  buy,
  correction,
  foldOne,
  imported,
  merge,
  positionIn,
  redemption,
  sell,
  settlement,
  split,
  transfer,
} from './entries.ts'

const idsOf = (entries: readonly LedgerEntry[], until?: number) => orderEntries(entries, until).map(({ id }) => id)

describe('the order of entries', () => {
  it('is that of the numbers in ids of one kind: the tenth comes after the ninth', () => {
    const entries = [10, 9, 100].map((number) => imported(1, '1', '1', { id: `import:${number}` }))
    expect(idsOf(entries)).toEqual(['import:9', 'import:10', 'import:100'])
  })

  it('is that of their times, then of their kinds, then of their ids', () => {
    const sorted: LedgerEntry[] = [
      redemption(1, { id: 'earlier' }),
      imported(2, '1', '1', { id: 'x1' }),
      transfer(2, '1', { id: 'x2' }),
      { ...split(2, '1'), id: 'w' },
      buy(2, '1', '1', { id: 'v1' }),
      buy(2, '1', '1', { id: 'v2' }),
      sell(2, '1', '1', { id: 'u' }),
      { ...merge(2, '1'), id: 't' },
      settlement(2, '1', { id: 's' }),
      redemption(2, { id: 'r' }),
      transfer(3, '1', { id: 'later' }),
    ]
    expect(idsOf(sorted.toReversed())).toEqual(sorted.map(({ id }) => id))
  })

  it('lets a purchase come before a sale of the same time', () => {
    const { position } = foldOne([sell(1, '10', '6'), buy(1, '10', '4')])
    expect(position).toMatchObject({ quantity: '0', realizedPnl: '2', bought: '10', sold: '10' })
  })

  it('counts an entry once, in the version that is first in order', () => {
    const versions = [buy(3, '5', '1', { id: 'a' }), buy(2, '7', '2', { id: 'a' }), buy(2, '6', '2', { id: 'a' })]
    for (const entries of [versions, versions.toReversed(), [...versions, ...versions]])
      expect(foldOne(entries).position).toMatchObject({ quantity: '6', updatedAt: 2 })
  })

  it('does not change the list it is given', () => {
    const entries = Object.freeze([buy(2, '1', '1'), buy(1, '1', '1')])
    expect(foldOne(entries).position.quantity).toBe('2')
    expect(entries.map(({ at }) => at)).toEqual([2, 1])
  })

  it('ends with the entries at the given time', () => {
    const entries = [buy(1, '1', '1'), buy(2, '1', '1'), buy(3, '1', '1')]
    expect(idsOf(entries, 2)).toEqual(['buy 1', 'buy 2'])
    expect(foldLedger(entries, 0)).toEqual({ positions: [], cash: [] })
  })
})

describe('a correction', () => {
  const kept = [buy(1, '10', '4'), sell(3, '2', '1')]
  const reverted = buy(2, '10', '9')
  const expected = foldLedger(kept)

  it.each<[string, LedgerEntry[]]>([
    ['after the entry', [...kept, reverted, correction(4, reverted.id)]],
    ['that arrives first', [correction(4, reverted.id), ...kept, reverted]],
    ['with an earlier time', [...kept, reverted, correction(0, reverted.id)]],
    ['that is repeated', [...kept, reverted, correction(4, reverted.id), correction(5, reverted.id)]],
    ['of an entry that is repeated', [reverted, ...kept, reverted, correction(4, reverted.id), reverted]],
  ])('withdraws an entry: %s', (_, entries) => {
    expect(foldLedger(entries)).toEqual(expected)
  })

  it('withdraws the entry at any earlier time, too', () => {
    expect(foldLedger([...kept, reverted, correction(9, reverted.id)], 2)).toEqual(foldLedger(kept, 2))
  })

  it('of an entry that never arrived changes nothing', () => {
    expect(foldLedger([...kept, correction(4, 'missing')])).toEqual(expected)
  })

  it('withdraws settlements', () => {
    const wrong = settlement(2, '1', { id: 'wrong', paysItself: true })
    const ledger = foldLedger([buy(1, '10', '4'), wrong, correction(3, 'wrong'), settlement(4, '0')])
    expect(positionIn(ledger)).toMatchObject({ quantity: '10', realizedPnl: '-4', settlement: { value: '0' } })
  })

  it('cannot be withdrawn', () => {
    const undone = { ...correction(5, 'correction 4'), id: 'undo' }
    expect(foldLedger([...kept, reverted, correction(4, reverted.id), undone])).toEqual(expected)
  })
})

describe('long histories', () => {
  const entries = Array.from({ length: 20_000 }, (_, i) =>
    i % 3 === 2 ? sell(i, '1', '0.6', { fee: '0.01' }) : buy(i, '1', '0.3', { fee: '0.01' }),
  )

  it('add up as short ones', () => {
    // 6,666 of 20,000 shares are sold; each of them cost 0.31 by both methods.
    expect(foldOne(entries).position).toMatchObject({
      quantity: '6668',
      costBasis: '2067.08',
      costBasisFifo: '2067.08',
      realizedPnl: '1866.48',
      realizedPnlFifo: '1866.48',
      fees: '200',
    })
  })

  it('leave turns to other work of the thread', async () => {
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const ledger = await foldLedgerYielding(entries)
    isDone = true
    expect(ledger).toEqual(foldLedger(entries))
    expect(turns).toBeGreaterThanOrEqual(15)
  })
})
