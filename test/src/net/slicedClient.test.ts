import { expect, it } from 'vitest'
import { ManualClock } from '#lib/clock'
import { VenueBudgets } from '#net/hostBudget'
import type { HttpClient } from '#net/http'
import { slicedClient } from '#net/slicedClient'

it('a slice lets through what it has at once, then at its own pace, and no more waits for it than is patient', async () => {
  const clock = new ManualClock()
  const sent: number[] = []
  const http: HttpClient = {
    async request() {
      sent.push(clock.monotonic())
      return { status: 200, headers: {}, body: null }
    },
  }
  const client = slicedClient('kalshi', http, new VenueBudgets('kalshi', { perSecond: 2, burst: 3 }, clock))
  const url = 'http://venue/x'
  const impatient = new AbortController()
  const asked = [1, 1, 1, 1].map((weight) => client.request({ url, weight }))
  const given = client.request({ url, signal: impatient.signal })
  const refused = expect(given).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'kalshi' })
  await Promise.all(asked.slice(0, 3))
  expect(sent).toHaveLength(3)
  impatient.abort()
  await refused
  clock.advance(500)
  await asked[3]
  expect(sent).toHaveLength(4)
  // Another host of the venue has a line of its own.
  await client.request({ url: 'http://other/x' })
})
