import { expect, it } from 'vitest'
import { HeldOrders } from '#actors/paper/heldOrders'

it('waits longer after each refusal, and gives up after five', () => {
  const held = new HeldOrders(() => 1)
  const tries: [isOut: boolean, pauseMs: number][] = []
  for (let n = 0; n < 6; n++) {
    const isOut = held.refuse('a', 0)
    let pauseMs = 0
    while (held.waits('a', pauseMs)) pauseMs += 100
    expect(held.isOut('a', 0)).toBe(isOut)
    tries.push([isOut, pauseMs])
  }
  expect(tries.map(([isOut]) => isOut)).toEqual([false, false, false, false, true, false])
  const pauses = tries.map(([, pauseMs]) => pauseMs)
  for (let n = 1; n < 4; n++) expect(pauses[n]!).toBeGreaterThan(pauses[n - 1]!)
  expect(pauses[4]).toBe(60_000)
  expect(held.isOut('a', 60_000)).toBe(false)
})

it('holds one order until its events were stored, or it has ended', () => {
  const held = new HeldOrders(() => 1)
  for (const id of ['a', 'b', 'c']) held.refuse(id, 0)
  expect([held.waits('a', 0), held.waits('d', 0), held.size]).toEqual([true, false, 3])
  held.stored('a')
  held.keep(new Set(['c']))
  expect([held.waits('a', 0), held.waits('b', 0), held.waits('c', 0), held.size]).toEqual([false, false, true, 1])
})
