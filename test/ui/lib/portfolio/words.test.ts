// Orders of unknown outcome in words, the pages of a table as one text, and groups of related markets.
import { describe, expect, it } from 'vitest'
import type { ExposurePosition } from '#schemas/exposure'
import type { OrderAction } from '#schemas/orders'
import { format } from '../../../../ui/lib/format.ts'
import { byShare, groupTitle } from '../../../../ui/lib/portfolio/exposureWords.ts'
import { actionWords, orderWords } from '../../../../ui/lib/portfolio/orderWords.ts'
import { joinCsv } from '../../../../ui/lib/portfolio/tableText.ts'

const at = '2026-11-30T10:00:00.000Z'
const call = { method: 'POST', path: '/v1/exec/kalshi/orders/1/refresh' } as const

describe('an order of unknown outcome', () => {
  it('is named by what is known of it', () => {
    const order = { intent: 'order', side: 'buy', size: '10', price: '0.44', venue: 'kalshi' } as const
    expect(orderWords(order)).toBe('buy 10 at 0.44 at kalshi')
    expect(orderWords({ ...order, side: null, size: null, price: null })).toBe('order at kalshi')
    expect(orderWords({ ...order, intent: 'cancel', side: null, size: null, price: null })).toBe('cancel at kalshi')
  })

  it.each([
    [{ kind: 'wait', until: at }, `Wait until ${format.moment(at)}.`],
    [
      { kind: 'refresh', ...call, fields: ['keyId'], credentialFree: false, from: at },
      `Read it at the venue: POST ${call.path} with keyId. From ${format.moment(at)} on.`,
    ],
    [
      { kind: 'refresh', ...call, fields: ['wallet'], credentialFree: true, from: null },
      `Read it at the venue: POST ${call.path}. The reconciler does so by itself, too.`,
    ],
    [
      { kind: 'resolve', ...call, fields: ['outcome', 'reason'], outcomes: ['failed', 'filled'], from: null },
      `Record its outcome yourself (failed, filled): POST ${call.path} with outcome, reason, and a new Idempotency-Key.`,
    ],
    [
      { kind: 'resubmit', ...call, fields: [] },
      `Send the same signed order again, which the venue takes only once: POST ${call.path}, and a new Idempotency-Key.`,
    ],
  ] satisfies [OrderAction, string][])('lists what its owner can do: %o', (action, words) => {
    expect(actionWords(action)).toBe(words)
  })
})

describe('the pages of a CSV table', () => {
  it('become one table with one header line', () => {
    expect(joinCsv(['a,b\r\n1,2\r\n', 'a,b\r\n3,"x\r\ny"\r\n', 'a,b\r\n'])).toBe('a,b\r\n1,2\r\n3,"x\r\ny"\r\n')
    expect(joinCsv(['a,b\r\n'])).toBe('a,b\r\n')
  })
})

describe('a group of related markets', () => {
  const held = (venue: string, market: string | null) => ({ venue, marketId: 'M', market }) as ExposurePosition
  it('has the title of the market that names it, or its id', () => {
    const groupId = 'polymarket:M'
    expect(groupTitle({ groupId, positions: [held('kalshi', 'One'), held('polymarket', 'Two')] })).toBe('Two')
    expect(groupTitle({ groupId, positions: [held('polymarket', null)] })).toBe(groupId)
  })
  it('shares capital with the largest venue first, and unknown shares last', () => {
    const row = (venue: string, share: number | null) => ({
      ...{ venue, share, currency: 'USD', capitalUsed: '1', unknownCosts: 0 },
    })
    const rows = [row('a', null), row('b', 0.2), row('c', 0.8)]
    expect(byShare(rows).map(({ venue }) => venue)).toEqual(['c', 'b', 'a'])
  })
})
