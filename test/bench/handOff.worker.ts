// The receiving thread of the hand-off bench: counts what arrives by ring or by message.
import { parentPort, workerData } from 'node:worker_threads'
import { RingConsumer, type RingMemory } from '#core/books/shared/index'

export interface HandOffTask {
  mode: 'ring' | 'book' | 'number'
  ring: RingMemory
  messages: number
}

export interface HandOffReport {
  received: number
}

const { mode, ring, messages } = workerData as HandOffTask
const port = parentPort!
const report: HandOffReport = { received: 0 }
if (mode === 'ring') {
  const consumer = new RingConsumer(ring)
  const count = (): void => {
    report.received++
  }
  port.postMessage('ready')
  while (report.received < messages) {
    consumer.wait(1_000)
    consumer.drain(count)
  }
  port.postMessage(report)
} else {
  port.on('message', () => {
    if (++report.received === messages) port.postMessage(report)
  })
  port.postMessage('ready')
}
