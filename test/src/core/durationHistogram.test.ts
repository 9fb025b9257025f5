import { expect, it } from 'vitest'
import { Durations } from '#core/durationHistogram'

it('counts into buckets with inclusive upper bounds, and sums in seconds', () => {
  const durations = new Durations('operation', 'status')
  for (const ms of [0.2, 0.5, 0.6, 30, 20_000]) durations.observe('getHealth', 200, ms)
  durations.observe('getHealth', 503, 1)
  const text = durations.text('answer_seconds', 'How long')
  const of = (status: number, le: string): string | undefined =>
    new RegExp(`^answer_seconds_bucket\\{operation="getHealth",status="${status}",le="${le}"\\} (\\d+)$`, 'm').exec(
      text,
    )?.[1]
  expect(text.split('\n').slice(0, 2)).toEqual(['# HELP answer_seconds How long', '# TYPE answer_seconds histogram'])
  expect(of(200, '0.0005')).toBe('2')
  expect(of(200, '0.001')).toBe('3')
  expect(of(200, '0.025')).toBe('3')
  expect(of(200, '0.05')).toBe('4')
  expect(of(200, '10')).toBe('4')
  expect(of(200, '\\+Inf')).toBe('5')
  expect(of(503, '\\+Inf')).toBe('1')
  expect(text).toContain('answer_seconds_count{operation="getHealth",status="200"} 5\n')
  const sum = Number(/^answer_seconds_sum\{operation="getHealth",status="200"\} (\S+)$/m.exec(text)?.[1])
  expect(sum).toBeCloseTo(20.0313, 9)
})

it('prints its description while nothing was counted', () => {
  expect(new Durations('venue', 'outcome').text('relay_seconds', 'Relays')).toBe(
    '# HELP relay_seconds Relays\n# TYPE relay_seconds histogram\n',
  )
})
