import { describe, expect, it } from 'vitest'
import { currencyChoices, depositVenues, isDepositAmount, newKey } from '../../../../ui/lib/paper/deposit.ts'
import { equityOf } from '../../../../ui/lib/paper/equity.ts'
import { isPaperKey } from '../../../../ui/lib/paper/paperKey.ts'

const sum = (known: string, unknown = 0) => ({ known, unknown })
const valueAt = (mid: ReturnType<typeof sum>) => ({ mid, bid: sum('0', 9), last: sum('0', 9) })

it('recognises a paper key', () => {
  expect(['xb_paper_1', 'xb_live_xb_paper_', null].map(isPaperKey)).toEqual([true, false, false])
})

describe('equity', () => {
  it('is exact: cash, open positions at mid and payouts to collect', () => {
    const totals = { cashFlow: '9995.000000000000000001', value: valueAt(sum('4.6')), unclaimed: '0.4' }
    expect(equityOf(totals)).toBe('10000.000000000000000001')
  })

  it('is unknown if its cash or the value of a position is', () => {
    expect(equityOf({ cashFlow: null, value: valueAt(sum('1')), unclaimed: '0' })).toBeNull()
    expect(equityOf({ cashFlow: '10', value: valueAt(sum('1', 1)), unclaimed: '0' })).toBeNull()
  })
})

describe('a deposit', () => {
  const balances = [
    { venue: 'myriad', currency: 'PTS' },
    { venue: 'xo', currency: 'ABC' },
    { venue: 'kalshi', currency: 'USD' },
  ]

  it('is in a currency of the venue, or in one that the account has there', () => {
    expect(currencyChoices('kalshi', balances)).toEqual(['USD'])
    expect(currencyChoices('myriad', balances)).toEqual(['USDT', 'USD1', 'USDC.e', 'PTS'])
    expect(depositVenues).toContain('polymarket')
  })

  it('may be in the currency without a name where none is documented', () => {
    expect(currencyChoices('xo', [])).toEqual([null])
    expect(currencyChoices('xo', balances)).toEqual(['ABC', null])
  })

  it('is a plain decimal above 0', () => {
    const given = ['1', '500', '0.000001', '1000000', '0', '0.0', '', '-1', '1e3', '1,000', '0.0000001', '12345678']
    expect(given.filter(isDepositAmount)).toEqual(['1', '500', '0.000001', '1000000'])
  })

  it('has a name of its own', () => {
    const keys = [newKey(), newKey()]
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  })
})
