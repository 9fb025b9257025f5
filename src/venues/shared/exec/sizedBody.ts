// A build body with a size that its caller did not give.
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionAdapter } from '../../lane.ts'

/** `size`: decimal string; a number where that is the same. */
export function sizedBody(body: JsonObject, size: string): JsonObject {
  const number = Number(size)
  return { ...body, size: String(number) === size ? number : size }
}

/** A body that gives `size`, as the lane's build takes it. */
export function laneSizedBody(
  { slug, sizeField }: Pick<ExecutionAdapter, 'slug' | 'sizeField'>,
  body: JsonObject,
): JsonObject {
  if (sizeField === undefined || body.size === undefined) return body
  if (sizeField in body) throw new Fault('VALIDATION_ERROR', `${sizeField}: is what size is at ${slug}; leave it out`)
  const { size, ...rest } = body
  return { ...rest, [sizeField]: size }
}
