import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { Secret } from '#core/secret'
import { CredentialBreaker, openMs, refusalsMax, windowMs } from '#orders/executions/breaker'

const made = () => {
  const clock = new ManualClock(1_790_000_000_000)
  const breaker = new CredentialBreaker(clock)
  const circuit = (key = 'canary-key', venue = 'v', secret = 'canary-secret') =>
    breaker.of(venue, { secret: new Secret(secret), apiKey: new Secret(key), signature: '0x1' })
  const refuse = (times: number, ...of: Parameters<typeof circuit>) => {
    for (let i = 0; i < times; i++) circuit(...of).refused()
  }
  const state = (...of: Parameters<typeof circuit>) => {
    try {
      circuit(...of).check()
      return 'closed'
    } catch (error) {
      return error
    }
  }
  return { clock, breaker, circuit, refuse, state }
}

it('opens at the fifth refusal, returns the remaining time, and closes after it', () => {
  const { clock, refuse, state } = made()
  refuse(refusalsMax - 1)
  expect(state()).toBe('closed')
  refuse(1)
  expect(state()).toMatchObject({
    code: 'VENUE_CREDENTIAL_BREAKER_OPEN',
    exchange: 'v',
    retryAfterSeconds: openMs / 1_000,
  })
  clock.advance(openMs - 1)
  expect(state()).toMatchObject({ retryAfterSeconds: 1 })
  clock.advance(1)
  expect(state()).toBe('closed')
})

it('counts refusals within one window, and an acceptance resets them', () => {
  const { clock, circuit, refuse, state } = made()
  refuse(refusalsMax - 1)
  clock.advance(windowMs)
  refuse(refusalsMax - 1)
  expect(state()).toBe('closed')
  circuit().accepted()
  refuse(refusalsMax - 1)
  expect(state()).toBe('closed')
  refuse(1)
  expect(state()).not.toBe('closed')
})

it('is separate for each credential as a whole and each venue', () => {
  const { breaker, refuse, state } = made()
  refuse(refusalsMax)
  expect(state('another key')).toBe('closed')
  expect(state('canary-key', 'v', 'another secret')).toBe('closed')
  expect(state('canary-key', 'w')).toBe('closed')
  const turned = { apiKey: new Secret('canary-secret'), secret: new Secret('canary-key') }
  expect(() => breaker.of('v', turned).check()).not.toThrow()
})

it('does not exist without credentials: such a signature is made for one order', () => {
  const { breaker } = made()
  for (const given of [{}, { signature: '0x1' }, null, 'text']) {
    for (let i = 0; i < refusalsMax; i++) breaker.of('v', given).refused()
    expect(() => breaker.of('v', given).check()).not.toThrow()
  }
})

it('stores no credential, and its names mean nothing to another process', () => {
  const [one, other] = [made(), made()]
  for (const { refuse } of [one, other]) refuse(1)
  const [text, otherText] = [one, other].map(({ breaker }) => inspect(breaker, { depth: 9, showHidden: true }))
  expect(text).not.toContain('canary')
  const name = /'([A-Za-z0-9+/]{43}=)'/.exec(text!)![1]!
  expect(otherText).not.toContain(name)
})

it('limits the number of stored credentials, and evicts the least recently used', () => {
  const { refuse, state } = made()
  refuse(refusalsMax, 'first')
  refuse(refusalsMax, 'second')
  for (let i = 0; i < 9_999; i++) refuse(1, `other ${i}`)
  expect(state('first')).toBe('closed')
  expect(state('second')).not.toBe('closed')
})
