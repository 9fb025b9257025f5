import { expect, it } from 'vitest'
import { CredentialBreaker, openMs, refusalsMax, windowMs } from '#executions/breaker'
import { ManualClock } from '#lib/clock'

const made = () => {
  const clock = new ManualClock(1_790_000_000_000)
  const breaker = new CredentialBreaker(clock)
  const refuse = (times: number, account = 'a', venue = 'v') => {
    for (let i = 0; i < times; i++) breaker.refused(account, venue)
  }
  const state = (account = 'a', venue = 'v') => {
    try {
      breaker.check(account, venue)
      return 'closed'
    } catch (error) {
      return error
    }
  }
  return { clock, breaker, refuse, state }
}

it('opens at the fifth refusal, says for how long, and closes after it', () => {
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

it('counts refusals of one window only, and an acceptance forgets them', () => {
  const { clock, breaker, refuse, state } = made()
  refuse(refusalsMax - 1)
  clock.advance(windowMs)
  refuse(refusalsMax - 1)
  expect(state()).toBe('closed')
  breaker.accepted('a', 'v')
  refuse(refusalsMax - 1)
  expect(state()).toBe('closed')
  refuse(1)
  expect(state()).not.toBe('closed')
})

it('is one for each account and each venue', () => {
  const { refuse, state } = made()
  refuse(refusalsMax)
  expect(state('b', 'v')).toBe('closed')
  expect(state('a', 'w')).toBe('closed')
})

it('remembers no more than so many pairs, and forgets the one untouched longest', () => {
  const { refuse, state } = made()
  refuse(refusalsMax, 'first')
  refuse(refusalsMax, 'second')
  for (let i = 0; i < 9_999; i++) refuse(1, `other ${i}`)
  expect(state('first')).toBe('closed')
  expect(state('second')).not.toBe('closed')
})
