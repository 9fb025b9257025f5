import { expect, it } from 'vitest'
import { tradersSlice } from '#run/budgets'
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
