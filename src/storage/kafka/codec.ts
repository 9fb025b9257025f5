// Bus values as Kafka bytes. Values that are already encoded (a book's core, rows of the surface) are kept as they are; everything else is JSON.
import type { TopicName, TopicValues } from '#schemas/topics'

/** Topics whose values carry bytes, and the field that holds them. */
const bytesOf: Readonly<Partial<Record<TopicName, string>>> = {
  books: 'core',
  surfaceRows: 'body',
  surfaceFrames: 'body',
  surfaceAnswers: 'body',
}

/** `u32 length of the JSON head | JSON head | bytes` */
function encodeWithBytes(value: Readonly<Record<string, unknown>>, field: string): Buffer {
  const { [field]: bytes, ...head } = value
  const body = bytes as Buffer
  const json = Buffer.from(JSON.stringify(head))
  const encoded = Buffer.allocUnsafe(4 + json.length + body.length)
  encoded.writeUInt32LE(json.length, 0)
  json.copy(encoded, 4)
  body.copy(encoded, 4 + json.length)
  return encoded
}

function decodeWithBytes(value: Buffer, field: string): Record<string, unknown> {
  const headEnd = 4 + value.readUInt32LE(0)
  const decoded = JSON.parse(value.toString('utf8', 4, headEnd)) as Record<string, unknown>
  decoded[field] = value.subarray(headEnd)
  return decoded
}

export function encodeValue<T extends TopicName>(topic: T, value: TopicValues[T]): Buffer {
  const field = bytesOf[topic]
  return field === undefined
    ? Buffer.from(JSON.stringify(value))
    : encodeWithBytes(value as unknown as Record<string, unknown>, field)
}

export function decodeValue<T extends TopicName>(topic: T, value: Buffer): TopicValues[T] {
  const field = bytesOf[topic]
  return (field === undefined ? JSON.parse(value.toString('utf8')) : decodeWithBytes(value, field)) as TopicValues[T]
}
