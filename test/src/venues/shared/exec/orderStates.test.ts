import { expect, it } from 'vitest'
import { optionalStateReader, unknownStateReason } from '#venues/shared/exec/orderStates'

const read = optionalStateReader({ OPEN: 'acked', DONE: 'filled' }, { spelled: (word) => word.toUpperCase() })

it('returns the state of a known word in the table’s spelling', () => {
  expect(read('open')).toBe('acked')
})

it.each(['half', '', 'constructor', '__proto__'])('returns null for the unknown word "%s"', (word) => {
  expect(read(word)).toBeNull()
})

it('shows an unknown word bounded and without control characters', () => {
  expect(unknownStateReason('HALF')).toBe('the venue reports an unknown order state: HALF')
  expect(unknownStateReason(`\u001b[31m${'x'.repeat(200)}`, 'trade')).toBe(
    `the venue reports an unknown trade state: ?[31m${'x'.repeat(55)}`,
  )
})
