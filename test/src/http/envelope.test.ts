import { expect, it } from 'vitest'
import { failureOf } from '#http/envelope'
import { Fault } from '#lib/fault'
import { type ErrorCode, errorCodes, isRetryable, statusOf } from '#schemas/errors'

const codes = Object.keys(errorCodes) as ErrorCode[]
const answerTo = (fault: Fault) => {
  const { headers, body } = failureOf(fault, 'id', {})
  return { header: headers['retry-after'], body: JSON.parse(String(body)).error.retryAfter as number | undefined }
}

it('every 503 that may pass says when to come again, in the header and in the body', () => {
  const passing = codes.filter((code) => isRetryable(code) && statusOf(code) === 503)
  expect(passing).toContain('HISTORY_UNAVAILABLE')
  for (const code of passing) expect(answerTo(new Fault(code, 'x')), code).toEqual({ header: '1', body: 1 })
  for (const code of codes.filter((code) => !passing.includes(code)))
    expect(answerTo(new Fault(code, 'x')), code).toEqual({ header: undefined, body: undefined })
})

it('who knows better is heard', () => {
  expect(answerTo(new Fault('HISTORY_UNAVAILABLE', 'x', { retryAfterSeconds: 4.2 }))).toEqual({ header: '5', body: 5 })
})
