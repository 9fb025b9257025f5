import { expect, it } from 'vitest'
import { decisionsAtOnce, Queue, restMaxMs } from '#actors/triggers/triggerQueue'
import type { Decision } from '#orders/triggers/decision'

const decision = (handle: number): Decision => ({ handle, serial: handle, evidence: {} as Decision['evidence'] })
const handles = (taken: readonly Decision[]): number[] => taken.map(({ handle }) => handle)

function queueOf(count: number): Queue {
  const queue = new Queue()
  for (let i = 0; i < count; i++) queue.put(decision(i))
  return queue
}

it('splits a failing batch until the decision at fault is alone, and writes all others', () => {
  const queue = queueOf(2 * decisionsAtOnce)
  const bad = 37
  let failures = 0
  while (queue.nextInMs(0) === 0) {
    const taken = queue.take(0)
    if (handles(taken).includes(bad)) {
      failures++
      queue.failed(taken, 0)
      continue
    }
    queue.written()
    for (const { handle } of taken) queue.delete(handle)
  }
  expect([queue.size, queue.nextInMs(0)]).toEqual([1, 50])
  expect(failures).toBeLessThanOrEqual(2 * Math.log2(decisionsAtOnce))
  expect(handles(queue.take(50))).toEqual([bad])
})

it('retries a postponed decision separately, with growing delays up to a bound, and not before others that wait', () => {
  const queue = queueOf(1)
  const delays: number[] = []
  let now = 0
  for (let i = 0; i < 8; i++) {
    const [one] = queue.take(now)
    queue.rest(one!, now)
    const inMs = queue.nextInMs(now)!
    expect(queue.take(now + inMs - 1)).toEqual([])
    delays.push(inMs)
    now += inMs
  }
  expect(delays).toEqual([50, 100, 200, 400, 800, 1_600, restMaxMs, restMaxMs])
  for (const handle of [7, 8]) queue.put(decision(handle))
  const turns = [queue.take(now), queue.take(now), queue.take(now)].map(handles)
  expect(turns).toEqual([[0], [7, 8], [0]])
})

it('does not postpone a decision that was withdrawn or made again during the write', () => {
  const queue = queueOf(2)
  const [back, decidedAgain] = queue.take(0)
  queue.delete(0)
  queue.put(decision(1))
  queue.rest(back!, 0)
  queue.rest(decidedAgain!, 0)
  expect([queue.size, queue.nextInMs(0)]).toEqual([1, 0])
  queue.failed([decidedAgain!], 0)
  expect(queue.nextInMs(0)).toBe(0)
})
