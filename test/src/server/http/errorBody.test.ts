import { expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { type ErrorCode, errorCodes, isRetryable, statusOf } from '#schemas/errors'
import { failureOf, responseOf } from '#server/http/errorBody'

const codes = Object.keys(errorCodes) as ErrorCode[]
const answerTo = (fault: Fault) => {
  const { headers, body } = failureOf(fault, 'id', {})
  return { header: headers['retry-after'], body: JSON.parse(String(body)).error.retryAfter as number | undefined }
}

it('every retryable 503 has a retry time in the header and in the body', () => {
  const passing = codes.filter((code) => isRetryable(code) && statusOf(code) === 503)
  expect(passing).toContain('HISTORY_UNAVAILABLE')
  for (const code of passing) expect(answerTo(new Fault(code, 'x')), code).toEqual({ header: '1', body: 1 })
  for (const code of codes.filter((code) => !passing.includes(code)))
    expect(answerTo(new Fault(code, 'x')), code).toEqual({ header: undefined, body: undefined })
})

it('marks every provenance of a lab response as lab data, including bytes encoded earlier', () => {
  const provenance = { source: 'service-live' }
  const siblings = { asOf: null, provenance, meta: { provenance, more: 1 } }
  const read = (answer: Parameters<typeof responseOf>[0], isLab: boolean) =>
    JSON.parse(String(responseOf(answer, {}, isLab).body)) as Record<string, unknown>
  const marked = { source: 'service-live', lab: true }
  const expected = { asOf: null, provenance: marked, meta: { provenance: marked, more: 1 } }
  expect(read({ data: [1], siblings }, true)).toEqual({ success: true, data: [1], ...expected })
  expect(read({ rawData: Buffer.from('[1]'), siblings }, true)).toEqual({ success: true, data: [1], ...expected })
  expect(read({ data: 1, siblings: { meta: { more: 1 } } }, true)).toEqual({
    success: true,
    data: 1,
    meta: { more: 1 },
  })
  expect(read({ data: 1 }, true)).toEqual({ success: true, data: 1 })
  const book = { bids: [], provenance: { source: 'service-live' }, note: '"provenance":{"source":"x"' }
  const markedBook = { ...book, provenance: marked }
  expect(read({ data: [book], siblings }, true)).toEqual({ success: true, data: [markedBook], ...expected })
  const bytes = () => Buffer.from(JSON.stringify(book))
  expect(read({ rawData: bytes(), siblings }, true)).toEqual({ success: true, data: markedBook, ...expected })
  expect(read({ rawData: bytes() }, false)).toEqual({ success: true, data: book })
  expect(read({ data: [1], siblings }, false)).toEqual({ success: true, data: [1], ...siblings })
})

it('uses an explicit retry time', () => {
  expect(answerTo(new Fault('HISTORY_UNAVAILABLE', 'x', { retryAfterSeconds: 4.2 }))).toEqual({ header: '5', body: 5 })
})
