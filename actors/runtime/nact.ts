// nact is a CommonJS package whose exports Node cannot see by name, although its types say otherwise. This is the one place that loads it.
import { createRequire } from 'node:module'

export type { ActorSystemRef, Ref } from 'nact'

export const nact = createRequire(import.meta.url)('nact') as typeof import('nact')
