import { expect, test } from 'vitest'
import { sanitizeReason } from '#orders/executions/sanitizeReason'
import { limitlessErrors } from '#venues/limitless/exec/errors'

test('an order that needs the smart wallet is refused with a hint what to change', () => {
  const message = 'Signer does not match - you should use embedded address for smart wallet'
  const refusal = limitlessErrors.refusal({ message }, 400)
  expect(refusal).toMatchObject({ means: 'order' })
  expect(refusal?.text).toContain('trading wallet mode "eoa"')
  expect(sanitizeReason(refusal?.text), 'shown to the user').toBe(refusal?.text)
  expect(limitlessErrors.refusal({ message: 'Signer does not match' }, 400)).toEqual({
    means: 'order',
    text: 'Signer does not match',
  })
})
