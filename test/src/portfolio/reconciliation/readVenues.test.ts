import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import type { HoldingsVenue } from '#portfolio/reconciliation/index'
import { readVenues, readWithinMs, type VenueRequest } from '#portfolio/reconciliation/readVenues'
import type { Holdings } from '#venues/holdings'

const held = (quantity: string): Holdings => ({
  positions: [{ marketId: 'M', outcomeId: 'yes', quantity, averageCost: null }],
  isComplete: true,
  balances: [],
  asOf: 1,
})

const request = (venue: string, read: HoldingsVenue['read'], accounts = 1): VenueRequest => ({
  venue,
  source: { holdings: { source: 'venue_api', costStep: '0.0001' }, read },
  accounts: Array.from({ length: accounts }, (_, account) => ({ account, credentials: null })),
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

const start = (requests: readonly VenueRequest[], clock = new ManualClock()) => {
  const abort = new AbortController()
  const caller = { accountId: 'a', signal: abort.signal }
  return { clock, abort, answers: readVenues({ clock, log: silentLog }, caller, requests) }
}

it('answers in the order of the requests, with each failure in its own part', async () => {
  const { answers } = start([
    request('kalshi', async () => {
      throw new Fault('VENUE_CREDENTIAL_REJECTED', 'kalshi rejected the key', { detail: 'not shown' })
    }),
    request('limitless', async () => held('2')),
    request('gemini', async () => {
      throw new TypeError('x is not a function')
    }),
  ])
  expect(await answers).toEqual([
    { holdings: null, error: { code: 'VENUE_CREDENTIAL_REJECTED', message: 'kalshi rejected the key' } },
    { holdings: held('2'), error: null },
    { holdings: null, error: { code: 'INTERNAL', message: 'the account at gemini could not be read' } },
  ])
})

it('gives up on a venue that does not answer, and ends its read', async () => {
  let ended = false
  const silent = request('kalshi', ({ signal }) => {
    signal.addEventListener('abort', () => {
      ended = true
    })
    return new Promise(() => undefined)
  })
  const { clock, answers } = start([silent, request('limitless', async () => held('1'))])
  await nextTurn()
  clock.advance(readWithinMs)
  expect(await answers).toEqual([
    { holdings: null, error: { code: 'NETWORK_ERROR', message: 'kalshi did not answer in time' } },
    { holdings: held('1'), error: null },
  ])
  expect(ended).toBe(true)
})

it('reads a few venues at once', async () => {
  let reading = 0
  let most = 0
  const counted = Array.from({ length: 12 }, (_, i) =>
    request(`venue ${i}`, async () => {
      most = Math.max(most, ++reading)
      await nextTurn()
      reading--
      return held('1')
    }),
  )
  expect(await start(counted).answers).toHaveLength(12)
  expect(most).toBe(4)
})

it('adds up the accounts of a venue, and has none of them when one fails', async () => {
  const good = start([request('limitless', async (_, account) => held(String(Number(account) + 1)), 2)])
  expect((await good.answers)[0]!.holdings!.positions[0]!.quantity).toBe('3')
  const half = start([
    request(
      'limitless',
      async (_, account) => {
        if (account === 1) throw new Fault('NETWORK_ERROR', 'no answer')
        return held('1')
      },
      2,
    ),
  ])
  expect((await half.answers)[0]).toEqual({ holdings: null, error: { code: 'NETWORK_ERROR', message: 'no answer' } })
})

it('ends with its caller', async () => {
  const { abort, answers } = start([
    request(
      'kalshi',
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    ),
  ])
  abort.abort()
  await expect(answers).rejects.toMatchObject({ name: 'AbortError' })
})

it('dates no answer after our own clock', async () => {
  const clock = new ManualClock()
  const ahead = request('pascal', async () => ({ ...held('1'), asOf: clock.now() + 60_000 }))
  const [answer] = await start([ahead], clock).answers
  expect(answer!.holdings!.asOf).toBe(clock.now())
})
