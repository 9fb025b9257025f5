// Public exports of the shared books.
export { createArena, type SlotHandle, sharedLevels } from './layout.ts'
export { type ReadResult, SharedBooksReader, SharedDepth } from './reader.ts'
export { createRing, RingConsumer, type RingMemory, RingProducer } from './ring.ts'
export { type SharedBook, SharedBooksWriter } from './writer.ts'
