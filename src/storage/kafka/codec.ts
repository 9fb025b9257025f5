// Bus values as Kafka bytes. Books keep their encoded core as it is; everything else is JSON.
import type { BookUpdate, TopicName, TopicValues } from '#schemas/topics'

/** `u32 length of the JSON head | JSON head | core bytes` */
function encodeBook({ core, ...head }: BookUpdate): Buffer {
  const json = Buffer.from(JSON.stringify(head))
  const value = Buffer.allocUnsafe(4 + json.length + core.length)
  value.writeUInt32LE(json.length, 0)
  json.copy(value, 4)
  core.copy(value, 4 + json.length)
  return value
}

function decodeBook(value: Buffer): BookUpdate {
  const headEnd = 4 + value.readUInt32LE(0)
  const head = JSON.parse(value.toString('utf8', 4, headEnd)) as Omit<BookUpdate, 'core'>
  return { ...head, core: value.subarray(headEnd) }
}

export const encodeValue = <T extends TopicName>(topic: T, value: TopicValues[T]): Buffer =>
  topic === 'books' ? encodeBook(value as BookUpdate) : Buffer.from(JSON.stringify(value))

export const decodeValue = <T extends TopicName>(topic: T, value: Buffer): TopicValues[T] =>
  (topic === 'books' ? decodeBook(value) : JSON.parse(value.toString('utf8'))) as TopicValues[T]
