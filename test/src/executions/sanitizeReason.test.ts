import { expect, it } from 'vitest'
import { sanitizeReason } from '#executions/sanitizeReason'

it.each([
  ['insufficient balance', 'insufficient balance'],
  ['INSUFFICIENT_FUNDS: need 12 USDC', 'venue rejected: INSUFFICIENT_FUNDS (need 12 USDC)'],
  ['order accepted, then the gateway timed out', 'venue request timed out'],
  ['order accepted but the reply was lost', 'rejected by venue'],
  ['CODE_X: order placed, request timeout', 'venue request timed out'],
  ['<html><body>502</body></html>', 'rejected by venue'],
  ['{"error":"x"}', 'rejected by venue'],
  ['line one\nline two', 'rejected by venue'],
  ['x'.repeat(300), 'rejected by venue'],
  [`invalid key ${'A1b2'.repeat(10)}`, 'rejected by venue'],
  ['', 'rejected by venue'],
  [null, 'rejected by venue'],
])('%s is shown as %s', (reason, shown) => {
  expect(sanitizeReason(reason)).toBe(shown)
})
