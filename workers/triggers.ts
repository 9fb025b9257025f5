// The triggers' thread: books arrive by a ring of dirty slots, orders by message, decisions go back by message. It blocks only on the
// ring; messages have a slot of their own there, so that they never wait for a book to change.
import { receiveMessageOnPort } from 'node:worker_threads'
import { RingConsumer, SharedBooksReader, SharedDepth } from '#core/books/shared/index'
import { sharedMs, systemClock } from '#core/clock'
import { unpackOrders } from '#orders/triggers/encoding'
import { Triggers } from '#orders/triggers/triggers'
import { WatchedBooks } from '#orders/triggers/watchedBooks'
import { controlWordIndex, idleMs, type ThreadTask } from './workerProtocol.ts'

/** int32 words shared by both threads. */
export const control = {
  /** 1 while notices are in transit or not yet processed. */
  noticesPending: controlWordIndex.free,
  /** Orders held. */
  armed: controlWordIndex.free + 1,
  /** When it last had nothing left to report, by `sharedMs`. */
  reportedAt: controlWordIndex.free + 2,
  /** When it last stalled, by the same clock. */
  stalledAt: controlWordIndex.free + 3,
} as const

export type SharedMailbox = { arm: Float64Array } | { disarm: readonly number[] }

/** The ring has one slot more than there are books: this one. */
export const mailSlot = (books: number): number => books

/** A turn takes some ten milliseconds, and an idle thread turns five times a second: without a turn for this long it is stalled. */
export const hungAfterMs = 500
/** After a stall, everything missed is reported within this. */
export const catchUpMs = 100

// Work done per turn before everything else is checked again.
const booksPerTurn = 1_000
const ordersPerTurn = 2_000
const mailsPerTurn = 4
/** Notices per message; the next is sent once this one was processed. */
const noticesAtOnce = 200

export default function triggers(task: ThreadTask): void {
  runTriggers(task)
}

/** `eachTurn` lets tests disturb it. */
export function runTriggers({ arena, control: memory, books, port }: ThreadTask, eachTurn?: () => void): void {
  const words = new Int32Array(memory)
  const dirty = new RingConsumer(books)
  const reader = new SharedBooksReader(arena)
  const mail = mailSlot(reader.capacity)
  const depth = new SharedDepth()
  const held = new Triggers(reader.capacity)
  const followed = new WatchedBooks(reader.capacity)
  /** They were being written, or a sample of them is still being checked against orders. */
  const later = new Set<number>()
  let hasMail = true
  let turnedAt = sharedMs()
  Atomics.store(words, control.stalledAt, turnedAt)

  const look = (slot: number): void => {
    if (!held.holds(slot)) return
    const result = reader.read(slot, depth, held.generationOf(slot), 1)
    if (result === 'ok') followed.note(slot, depth)
    if (result === 'busy') later.add(slot)
    else held.take(slot, result === 'ok' ? depth : null, systemClock.steady())
  }
  const visit = (slot: number): void => {
    if (slot === mail) hasMail = true
    else look(slot)
  }
  const again = (slot: number): void => void later.add(slot)
  function lookAgain(): void {
    const slots = [...later]
    later.clear()
    slots.forEach(look)
  }
  function arm(packed: Float64Array): void {
    for (const order of unpackOrders(packed)) {
      const { slot, generation } = order
      if (held.isNew(slot, generation)) {
        const isThere = reader.read(slot, depth, generation, 1) === 'ok'
        if (isThere) followed.note(slot, depth)
        held.follow(slot, generation, isThere ? depth : null)
      }
      held.arm(order)
    }
  }
  /** No later than the next order becomes due. */
  const pauseMs = (): number => Math.max(1, Math.min(idleMs, Math.ceil(held.nextAt - systemClock.now())))
  function readMail(): void {
    for (let i = 0; i < mailsPerTurn; i++) {
      const next = receiveMessageOnPort(port)
      hasMail = next !== undefined
      if (next === undefined) return
      const mailbox = next.message as SharedMailbox
      if ('arm' in mailbox) arm(mailbox.arm)
      else mailbox.disarm.forEach(held.disarm, held)
      Atomics.store(words, control.armed, held.armed)
    }
  }

  while (Atomics.load(words, controlWordIndex.stop) === 0) {
    Atomics.add(words, controlWordIndex.beat, 1)
    eachTurn?.()
    if (hasMail) readMail()
    for (const slot of held.becomeDue(systemClock.now())) look(slot)
    lookAgain()
    const visited = dirty.drain(visit, booksPerTurn)
    const isWorking = held.work(ordersPerTurn, again)
    if (held.hasNotices && Atomics.exchange(words, control.noticesPending, 1) === 0)
      port.postMessage(held.drain(noticesAtOnce))
    const now = sharedMs()
    if (((now - turnedAt) | 0) > hungAfterMs) Atomics.store(words, control.stalledAt, now)
    turnedAt = now
    Atomics.store(words, control.reportedAt, now)
    if (!hasMail && !isWorking && later.size === 0 && visited < booksPerTurn) dirty.wait(pauseMs())
  }
  port.close()
}
