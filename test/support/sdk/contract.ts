// The input of client generators: the OpenAPI document with all features enabled, and the shapes of the stream's frames by name.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import * as frames from '#schemas/streamFrames'
import { documents, type Json } from '#sdk/contract'

export interface Contract {
  openapi: Json
  /** JSON Schema 2020-12; `$defs` by the names that `schemas/streamFrames.ts` exports. */
  frames: Json
}

export const readContract = (): Contract => ({ openapi: documents().openapi, frames: framesByName() })

function framesByName(): Json {
  const registry = z.registry<{ id: string }>()
  for (const [name, frame] of Object.entries(frames)) if (frame instanceof z.ZodType) registry.add(frame, { id: name })
  // In the order of their names: module loaders differ in theirs.
  const { schemas } = z.toJSONSchema(registry, { io: 'output', unrepresentable: 'any', uri: (id) => `#/$defs/${id}` })
  const named = JSON.parse(JSON.stringify(schemas).replaceAll('"#/$defs/__shared#/$defs/', '"#/$defs/')) as Json
  const { __shared, ...rest } = named as Record<string, Json>
  const all = Object.entries({ ...(__shared?.$defs as Json | undefined), ...rest })
  return { $defs: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** Keys that do not describe a shape: such texts may change without a client update. */
const words = new Set(['description', 'summary', 'title', 'example', 'examples', '$schema', '$id', 'x-codes'])

/** The same for every contract that means the same to a program. */
export function contractDigest(contract: Contract): string {
  return createHash('sha256')
    .update(JSON.stringify(shapeOf(contract)))
    .digest('hex')
}

function shapeOf(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => shapeOf(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !words.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, shapeOf(each, !isNames && holdsNames.has(key))]),
  )
}

/** Below these, every key is a user-defined name, whatever it looks like. */
const holdsNames = new Set(['properties', '$defs', 'schemas', 'paths'])
