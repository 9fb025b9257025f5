// nact is a CommonJS package whose exports Node cannot see by name, although its types say otherwise. This is the one place that loads it.
import { createRequire } from 'node:module'
import type { Ref } from 'nact'

export type { Ref }

export const nact = createRequire(import.meta.url)('nact') as typeof import('nact')

/** The types leave out the name, which every reference has. */
export const nameOf = (reference: Ref<unknown>): string => (reference as Ref<unknown> & { readonly name: string }).name
