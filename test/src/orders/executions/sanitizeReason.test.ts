import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeUnknown, sanitizeReason } from '#orders/executions/sanitizeReason'

describe('“safe actionable reason verbatim”', () => {
  it.each([
    'insufficient balance',
    'price must be < 0.99',
    'InvalidSignature: InvalidSignature',
    'min size is $5 (got 3.2)',
    'order could not be matched',
    'order was not accepted',
    'market is closed since 12:00',
    'create_order_insufficient_collateral_allowance: allowance too low',
    'order_signed_with_floor_notional',
    'CREATE_ORDER_MIN_ORDER_VALUE_NOT_MET',
  ])('%s', (reason) => {
    expect(sanitizeReason(reason)).toBe(reason)
    expect(sanitizeReason(`  ${reason} `)).toBe(reason)
  })
})

describe('“a `CODE: detail` shape becomes `venue rejected: CODE (detail)`”', () => {
  it.each([
    ['INSUFFICIENT_FUNDS: need 12 USDC', 'venue rejected: INSUFFICIENT_FUNDS (need 12 USDC)'],
    ['E123:price off grid', 'venue rejected: E123 (price off grid)'],
  ])('%s', (reason, shown) => {
    expect(sanitizeReason(reason)).toBe(shown)
  })
})

describe('removes a hash, an id or an address from a sentence that is safe without it', () => {
  const hash = `0x${'a1'.repeat(32)}`
  it.each([
    [
      `order ${hash} is invalid. Price (0.565) breaks minimum tick size rule: 0.01`,
      'order [hash] is invalid. Price (0.565) breaks minimum tick size rule: 0.01',
    ],
    [
      `order ${hash} is invalid. Size (1) lower than the minimum: 5`,
      'order [hash] is invalid. Size (1) lower than the minimum: 5',
    ],
    [`User or API Wallet 0x${'Ab'.repeat(20)} does not exist.`, 'User or API Wallet [hash] does not exist.'],
    [`'${hash}' address banned`, "'[hash]' address banned"],
    [`INVALID_ORDER: ${hash} unknown`, 'venue rejected: INVALID_ORDER ([hash] unknown)'],
  ])('%s', (reason, shown) => {
    expect(sanitizeReason(reason)).toBe(shown)
  })

  it('but not from an unsafe sentence', () => {
    expect(sanitizeReason(`order ${hash} was accepted`)).toBe('rejected by venue')
    expect(sanitizeReason(`key ${'xyZ1'.repeat(10)} of ${hash}`)).toBe('rejected by venue')
    expect(sanitizeReason(`<b>${hash}</b>`)).toBe('rejected by venue')
  })
})

describe('treats words joined by an underscore, or by a capital, as words', () => {
  it.each([
    ['ORDER_FILLED', 'rejected by venue'],
    ['order_accepted: see later', 'rejected by venue'],
    ['ORDER_PLACED_OK: yes', 'rejected by venue'],
    ['orderAccepted', 'rejected by venue'],
    ['status=ORDER_RESTING', 'rejected by venue'],
    ['ORDER_SUBMITTED: REQUEST_TIMED_OUT', 'venue request timed out'],
    ['ORDER_NOT_FILLED: too thin', 'venue rejected: ORDER_NOT_FILLED (too thin)'],
    ['FOK_ORDER_NOT_FILLED_ERROR', 'FOK_ORDER_NOT_FILLED_ERROR'],
    ['INVALID_ORDER_MIN_TICK_SIZE', 'INVALID_ORDER_MIN_TICK_SIZE'],
    ['MakerOrCancelWouldTake: x', 'MakerOrCancelWouldTake: x'],
  ])('%s', (reason, shown) => {
    expect(sanitizeReason(reason)).toBe(shown)
  })
})

describe('“anything else becomes a bounded sentence such as `rejected by venue`”', () => {
  it.each([
    ['nothing at all', ''],
    ['no text', null],
    ['undefined', undefined],
    ['a page', '<html><body>502</body></html>'],
    ['markup inside', 'price must be <b>low</b>'],
    ['a script after words', 'sorry <script>alert(1)</script>'],
    ['JSON', '{"error":"x"}'],
    ['several lines', 'line one\nline two'],
    ['a NUL', 'bad\u0000thing'],
    ['an override of direction', 'safe \u202etxt'],
    ['too much', 'x y '.repeat(100)],
    ['a long token', `invalid key ${'A1b2'.repeat(10)}`],
    ['a token behind a code', `BAD_KEY: ${'A1b2'.repeat(10)}`],
    ['a PEM', '-----BEGIN PRIVATE KEY-----'],
    ['a bearer', 'sent Bearer abc'],
    ['an id', 'order 6f1c0f38-7f0a-4df6-9d1e-2a8b2f3c4d5e unknown'],
  ])('%s', (_, reason) => {
    expect(sanitizeReason(reason)).toBe('rejected by venue')
  })
})

describe('“post-acceptance wording is reduced likewise, to `venue request timed out` when the text also names a timeout, judged first”', () => {
  const wordings = [
    'accepted',
    'acknowledged',
    'placed',
    'resting',
    'filled',
    'matched',
    'executed',
    'submitted',
    'live',
    'posted',
    'confirmed',
  ]
  it.each(wordings)('order %s', (word) => {
    expect(sanitizeReason(`order ${word} but the reply was lost`)).toBe('rejected by venue')
    expect(sanitizeReason(`ORDER_STATE: order ${word.toUpperCase()}`)).toBe('rejected by venue')
    for (const late of ['timed out', 'timeout', 'time-out', 'deadline exceeded'])
      expect(sanitizeReason(`CODE_X: order ${word}, then ${late}`)).toBe('venue request timed out')
    expect(sanitizeReason(`<b>order ${word}</b>\n request timed out`)).toBe('venue request timed out')
  })

  it('a timeout alone is a reason like any other', () => {
    expect(sanitizeReason('request timed out')).toBe('request timed out')
    expect(sanitizeReason('GATEWAY: request timed out')).toBe('venue rejected: GATEWAY (request timed out)')
  })
})

it('shows a short, single line without markup that never reads as an acceptance, whatever a venue answers', () => {
  const words = fc.constantFrom(
    'order',
    'not',
    'no',
    'accepted',
    'FILLED',
    'timeout',
    'BAD:',
    'CODE_1:',
    '<b>',
    '</b>',
    '{',
    '\n',
    '\u0000',
    '\u202e',
    'é',
    '🙂',
    'a'.repeat(40),
    '-----BEGIN',
    'price',
    '0.5',
    'cannot',
    'be',
    '&lt;',
    '"',
    '(',
    ')',
  )
  const text = fc.oneof(
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 300 }),
  )
  fc.assert(
    fc.property(text, (reason) => {
      const shown = sanitizeReason(reason)
      expect(shown.length).toBeLessThanOrEqual(220)
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}{}]|<\/?[a-z]|-----BEGIN|[A-Za-z0-9+/_=-]{32,}/iu)
      expect(shown.replace(/\b(not|no|cannot)\s+(be\s+)*\w+/gi, '')).not.toMatch(/\b(accepted|filled)\b/i)
    }),
    { numRuns: 5_000 },
  )
})

describe('the reason shown to the owner of a relay with an unknown outcome', () => {
  it.each([
    [{}, 'the venue did not answer'],
    [{ httpStatus: 502, text: '' }, 'the venue answered with status 502'],
    [{ httpStatus: 400, text: 'odd lot' }, 'the venue answered with status 400: odd lot'],
    [{ httpStatus: 409, text: 'E123: price off grid' }, 'the venue answered with status 409: E123 (price off grid)'],
    [{ httpStatus: 200, text: 'order was placed' }, 'the venue answered with status 200'],
    [
      { httpStatus: 504, text: 'ORDER_PLACED: timed out' },
      'the venue answered with status 504: venue request timed out',
    ],
    [{ httpStatus: 400, text: '<b>no</b>' }, 'the venue answered with status 400'],
    [{ httpStatus: 400, text: 'a\u001b[31mb' }, 'the venue answered with status 400'],
    [{ httpStatus: 400, text: 'no such thing '.repeat(50) }, /^the venue answered with status 400: (no such thing ?)+/],
  ])('%j', (outcome, shown) => {
    const known = describeUnknown({ kind: 'unknown', cause: null, ...outcome })
    if (typeof shown === 'string') expect(known).toBe(shown)
    else expect(known).toMatch(shown)
    expect(known.length).toBeLessThan(250)
  })
})
