import { expect, it } from 'vitest'
import { tradersSlice } from '#run/budgets'
import { askersMax, callersSlices } from '#run/traderReads'
import { asker } from '#traders/index'
import { registry } from '#venues/registry'

it('questions about traders have a slice of a venue’s budget, of the part that this process has', async () => {
  const at = async (percent?: string): Promise<number> => {
    const slice = tradersSlice(registry.hyperliquid, 'callers', { venueSetting: () => percent }).of('http://venue')
    let taken = 0
    const hurried = new AbortController()
    const asked = Array.from({ length: 10 }, () =>
      slice.take({ weight: 120, signal: hurried.signal }).then(
        () => taken++,
        () => undefined,
      ),
    )
    await Promise.resolve()
    hurried.abort()
    await Promise.all(asked)
    return taken
  }
  // 350 at once, in questions of 120; half of it where the operator gave this process half.
  expect([await at(), await at('50')]).toEqual([2, 1])
})

it('no account takes more than half of it in the long run, and those who come and go are forgotten', () => {
  const slices = callersSlices(registry.hyperliquid, { venueSetting: () => undefined })
  const of = (account: string) => asker.run(account, () => slices.of())
  const [[own, all], [other, sameAll]] = [of('a'), of('b')]
  expect([own === other, all === sameAll, of('a')[0] === own]).toEqual([false, true, true])
  expect(slices.of()).toEqual([all])
  for (let n = 0; n < askersMax; n++) of(`x${n}`)
  expect(of('a')[0] === own).toBe(false)
  expect(slices.lineMs).toBeLessThan(8_000)
})
