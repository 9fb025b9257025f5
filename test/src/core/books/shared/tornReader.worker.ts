// The other thread of the torn-write test: reads as fast as it can and reports every book that mixes two writes.
import { parentPort, workerData } from 'node:worker_threads'
import { RingConsumer, type RingMemory, SharedBooksReader, SharedDepth } from '#core/books/shared/index'

export interface TornTask {
  arena: SharedArrayBuffer
  ring: RingMemory
  stop: SharedArrayBuffer
}

export interface TornReport {
  reads: number
  /** Reads that found a write in progress or a book that changed: proof that the two threads really collided. */
  overlapped: number
  torn: string[]
  /** Receive time of the newest book per slot that arrived through the ring. */
  last: number[]
}

const { arena, ring, stop } = workerData as TornTask
const reader = new SharedBooksReader(arena)
const consumer = new RingConsumer(ring)
const stopped = new Int32Array(stop)
const depth = new SharedDepth()
const report: TornReport = { reads: 0, overlapped: 0, torn: [], last: new Array<number>(reader.capacity).fill(0) }
const seen = new Array<number>(reader.capacity).fill(0)

/** A complete write has one number everywhere: sizes, both times and the number of levels. */
function check(slot: number): void {
  const at = depth.recvTs
  const levels = at === 0 ? 0 : 1 + (at % depth.bidSizes.length)
  const whole = depth.bids === levels && depth.asks === levels && (at === 0 || depth.eventTs === at)
  const sizes = [depth.bidSizes, depth.askSizes].every((side) => side.subarray(0, levels).every((size) => size === at))
  const prices = depth.bidMicros.subarray(0, levels).every((micros, i) => micros === (400 - i) * 1_000)
  if (!(whole && sizes && prices) && report.torn.length < 5)
    report.torn.push(`slot ${slot} recvTs ${at} bids ${depth.bids}`)
  if (at < seen[slot]!) report.torn.push(`slot ${slot} went back from ${seen[slot]} to ${at}`)
  else if (at > seen[slot]!) {
    report.overlapped++
    seen[slot] = at
  }
}

function read(slot: number): boolean {
  report.reads++
  if (reader.read(slot, depth) !== 'ok') return false
  check(slot)
  return true
}

parentPort!.postMessage('ready')
for (let running = true; running; ) {
  running = Atomics.load(stopped, 0) === 0
  for (let slot = 0; slot < reader.capacity; slot++) read(slot)
  consumer.drain((slot) => {
    while (!read(slot));
    report.last[slot] = depth.recvTs
  })
}
parentPort!.postMessage(report)
