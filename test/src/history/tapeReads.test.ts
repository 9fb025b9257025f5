import { expect, it } from 'vitest'
import { answersWithinMs, hurried } from '#history/tapeReads'
import { ManualClock } from '#lib/clock'

it('a store that hangs is a retryable refusal in time, and its statement is ended', async () => {
  const clock = new ManualClock()
  const signals: (AbortSignal | undefined)[] = []
  const hang = (_sql: string, _parameters?: unknown, signal?: AbortSignal) => {
    signals.push(signal)
    return new Promise<never>(() => undefined)
  }
  const reads = hurried({ stream: hang, rows: hang }, clock)
  const answers = [reads.stream('a'), reads.rows('b', {}, new AbortController().signal)]
  clock.advance(answersWithinMs - 1)
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false])
  clock.advance(1)
  for (const answer of answers) await expect(answer).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
  expect(clock.pendingCount).toBe(0)
})

it('a stream that has begun is not hurried, and whoever leaves ends the statement', async () => {
  const clock = new ManualClock()
  const leave = new AbortController()
  let given: AbortSignal | undefined
  async function* chunks() {
    yield Buffer.from('a')
    clock.advance(10 * answersWithinMs)
    yield Buffer.from('b')
  }
  const reads = hurried(
    {
      stream: async (_sql, _parameters, signal) => {
        given = signal
        return chunks()
      },
      rows: async () => [],
    },
    clock,
  )
  const seen: string[] = []
  for await (const chunk of await reads.stream('a', {}, leave.signal)) seen.push(String(chunk))
  expect([seen, given?.aborted]).toEqual([['a', 'b'], false])
  leave.abort()
  expect(given?.aborted).toBe(true)
})
