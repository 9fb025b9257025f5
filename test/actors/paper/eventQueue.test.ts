import { expect, it } from 'vitest'
import { EventQueue } from '#actors/paper/eventQueue'
import type { OrderEvents } from '#storage/postgres/paper/apply'

const accepted = (queueAhead: string) => ({ kind: 'accepted', queueAhead, at: new Date(0) }) as const
const of = (executionId: string, version: number, queueAhead: string): OrderEvents => ({
  ...{ executionId, version, accountId: 'a' },
  events: [accepted(queueAhead)],
})

it('joins the events of one order, in order', () => {
  const queue = new EventQueue()
  queue.add([of('1', 1, '1'), of('2', 1, '2'), of('1', 1, '3')])
  expect(queue.take()).toEqual([{ ...of('1', 1, '1'), events: [accepted('1'), accepted('3')] }, of('2', 1, '2')])
  expect(queue.size).toBe(0)
})

it('leaves the events of a later version to a later batch', () => {
  const queue = new EventQueue()
  queue.add([of('1', 1, '1'), of('1', 2, '2'), of('1', 2, '3')])
  expect(queue.take()).toEqual([of('1', 1, '1')])
  expect(queue.take()).toEqual([{ ...of('1', 2, '2'), events: [accepted('2'), accepted('3')] }])
})

it('takes a bounded number of orders', () => {
  const queue = new EventQueue()
  queue.add(Array.from({ length: 250 }, (_, i) => of(String(i), 1, '0')))
  expect([queue.take().length, queue.take().length, queue.take().length]).toEqual([100, 100, 50])
})

it('keeps the events of an order that waits, in order, and takes those of the others', () => {
  const queue = new EventQueue()
  queue.add([of('1', 1, '1'), of('2', 1, '2')])
  const [first] = queue.take()
  queue.putBack(first!)
  queue.add([of('1', 1, '3'), of('3', 1, '4')])
  expect(queue.take((executionId) => executionId === '1')).toEqual([of('3', 1, '4')])
  expect(queue.take((executionId) => executionId === '1')).toEqual([])
  expect(queue.take()).toEqual([{ ...of('1', 1, '1'), events: [accepted('1'), accepted('3')] }])
})

it('gives up the events of one order', () => {
  const queue = new EventQueue()
  queue.add([of('1', 1, '1'), of('2', 1, '2'), of('1', 2, '3')])
  expect(queue.giveUp('1')).toEqual([of('1', 1, '1'), of('1', 2, '3')])
  expect(queue.take()).toEqual([of('2', 1, '2')])
})
