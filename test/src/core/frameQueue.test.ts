import { expect, it } from 'vitest'
import { FrameQueue } from '#core/frameQueue'

function queueTo({ framesMax = 10, bytesMax = 1_000 } = {}) {
  const received: string[] = []
  const socket = { takes: true }
  const queue = new FrameQueue({
    send(frame) {
      if (socket.takes) received.push(String(frame))
      return socket.takes
    },
    framesMax,
    bytesMax,
  })
  return { queue, socket, received, push: (text: string) => queue.push(Buffer.from(text)) }
}

it('sends at once while the socket takes frames', () => {
  const { queue, received, push } = queueTo()
  expect([push('a'), push('b')]).toEqual([true, true])
  expect(received).toEqual(['a', 'b'])
  expect(queue.isEmpty).toBe(true)
})

it('keeps the order of what waited', () => {
  const { queue, socket, received, push } = queueTo()
  socket.takes = false
  push('a')
  socket.takes = true
  push('b')
  expect(received).toEqual([])
  queue.drain()
  expect(received).toEqual(['a', 'b'])
  expect(queue.isEmpty).toBe(true)
})

it('reports that it is full, by frames and by bytes', () => {
  for (const limits of [{ framesMax: 2 }, { bytesMax: 2 }]) {
    const { queue, socket, received, push } = queueTo(limits)
    socket.takes = false
    expect([push('a'), push('b'), push('c')]).toEqual([true, true, false])
    queue.clear()
    expect(queue.isEmpty).toBe(true)
    expect(push('d')).toBe(true)
    socket.takes = true
    queue.drain()
    expect(received).toEqual(['d'])
  }
})
