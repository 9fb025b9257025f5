import { expect, it } from 'vitest'
import type { Fault } from '#core/fault'
import { quotaClient } from '#net/quotaClient'
import { tradersQuota } from '#roles/budgets'
import { callerQuotas, callersMax } from '#roles/traderSources'
import { callerContext } from '#traders/index'
import { getUserFills } from '#venues/hyperliquid/data/endpoints'
import { registry } from '#venues/registry'

it('limits trader requests to a share of the venue budget of this process', async () => {
  const at = async (percent?: string): Promise<number> => {
    const slice = tradersQuota(registry.hyperliquid, 'callers', { venueSetting: () => percent }).of('http://venue')
    let taken = 0
    const hurried = new AbortController()
    const requests = Array.from({ length: 10 }, () =>
      slice.take({ weight: 120, signal: hurried.signal }).then(
        () => taken++,
        () => undefined,
      ),
    )
    await Promise.resolve()
    hurried.abort()
    await Promise.all(requests)
    return taken
  }
  // A burst of 350 and requests of weight 120; half of it when the operator gives this process half.
  expect([await at(), await at('50')]).toEqual([2, 1])
})

it('limits an account to half of it in the long run, and forgets accounts that come and go', () => {
  const slices = callerQuotas(registry.hyperliquid, { venueSetting: () => undefined })
  const of = (account: string) => callerContext.run(account, () => slices.of())
  const [[own, all], [other, sameAll]] = [of('a'), of('b')]
  expect([own === other, all === sameAll, of('a')[0] === own]).toEqual([false, true, true])
  expect(slices.of()).toEqual([all])
  for (let n = 0; n < callersMax; n++) of(`x${n}`)
  expect(of('a')[0] === own).toBe(false)
  expect(slices.lineMs).toBeLessThan(8_000)
})

it('charges hyperliquid profiles by their number of fills, and rejects further requests of one busy account', async () => {
  const slices = callerQuotas(registry.hyperliquid, { venueSetting: () => undefined })
  const rows = Array.from({ length: 20 })
  const http = quotaClient('hyperliquid', { request: async () => ({ status: 200, headers: {}, body: rows }) }, slices)
  const ending = new AbortController()
  const context = { http, urls: { REST: 'http://venue' }, signal: ending.signal, venue: 'hyperliquid' }
  const getFills = (account: string) => callerContext.run(account, () => getUserFills(context as never, '0x'))
  // A burst of 350, of which 120 must be available for a request that finally costs 21.
  for (let n = 0; n < 11; n++) await getFills('a')
  const waiting = expect(getFills('a')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  const refusal = await getFills('a').catch((error: unknown) => error as Fault)
  expect(refusal).toMatchObject({ code: 'NETWORK_ERROR', detail: 'no request sent', exchange: 'hyperliquid' })
  expect((refusal as Fault).message).toMatch(/from here$/)
  // At 1.75 a second for one account.
  expect((refusal as Fault).retryAfterSeconds).toBeGreaterThan(60)
  ending.abort()
  await waiting
})
