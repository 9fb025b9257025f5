import { describe, expect, it } from 'vitest'
import { answeringVenue } from '#test/support/answeringVenue'
import { traders } from '#venues/predictfun/data/traders'

const [taker, maker, other] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]
const wei = (value: number): string => (BigInt(Math.round(value * 1e6)) * 10n ** 12n).toString()
const party = (signer: string, quoteType: string, price: number, indexSet: number) => ({
  ...{ signer: signer.toUpperCase().replace('0X', '0x'), quoteType, price: wei(price), amount: wei(999) },
  outcome: { indexSet, name: '', onChainId: '1' },
})
const match = (makers: unknown[]) => ({
  settlementId: 's1',
  executedAt: '2026-09-20T10:00:00.000Z',
  amountFilled: wei(10),
  priceExecuted: wei(0.3),
  market: { id: 77 },
  taker: party(taker, 'Bid', 0.35, 2),
  makers,
})

const venueServing = (row: unknown, cursor: string | null = null) => {
  const venue = answeringVenue('predictfun')
  venue.context.credentials = { API_KEY: 'k' }
  venue.answer = () => ({ body: { success: true, cursor, data: [row] } })
  return venue
}
const page = { limit: 5, after: null }

describe('a wallet’s matches', () => {
  it('have the executed price as taker, and the own price as maker', async () => {
    const { context, requests } = venueServing(match([party(maker, 'Bid', 0.7, 1)]), 'next')
    const own = await traders.fetchWalletTrades!(context, taker, page)
    expect(own).toMatchObject({
      rows: [{ wallet: taker, side: 'buy', price: 0.3, amount: 10, outcomeId: '77:2' }],
      next: 'next',
    })
    expect(requests[0]).toMatchObject({ path: '/v1/orders/matches', query: { signerAddress: taker, first: 5 } })
    const { rows } = await traders.fetchWalletTrades!(context, maker, { limit: 5, after: 'next' })
    expect(rows).toMatchObject([
      { wallet: maker, side: 'buy', price: 0.7, amount: 10, outcomeId: '77:1', usdSize: null },
    ])
    expect(requests[1]!.query).toMatchObject({ after: 'next' })
  })

  it('have no amount with several makers, and no values at all for a wallet that is not involved', async () => {
    const { context } = venueServing(match([party(maker, 'Ask', 0.3, 2), party(other, 'Ask', 0.3, 2)]))
    expect((await traders.fetchWalletTrades!(context, other, page)).rows).toMatchObject([
      { wallet: other, side: 'sell', price: 0.3, amount: null },
    ])
    const stranger = `0x${'4'.repeat(40)}`
    expect((await traders.fetchWalletTrades!(context, stranger, page)).rows).toMatchObject([
      { wallet: stranger, side: null, price: null, amount: null, outcomeId: null },
    ])
  })
})

it('a GraphQL error of the site is an outage, and only addresses are put into a query', async () => {
  const venue = answeringVenue('predictfun', ['REST', 'GRAPHQL'])
  venue.answer = () => ({ body: { data: { account: null }, errors: [{ message: 'SECRET' }] } })
  const failed = traders.fetchWallet!(venue.context, taker)
  await expect(failed).rejects.toMatchObject({ code: 'NETWORK_ERROR', message: expect.not.stringContaining('SECRET') })
  expect(traders.walletOf('0x" } hack {')).toBeNull()
})
