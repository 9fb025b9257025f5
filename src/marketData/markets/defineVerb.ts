// A market-data verb defined once: its arguments, its refusals, whether the router has it, and its handler.
import type { z } from 'zod'
import type { Feature } from '#platform/plans/plans'
import type { ErrorCode } from '#schemas/errors'
import type { Exchange } from './exchange.ts'
import type { Markets } from './markets.ts'
import type { VenueReads } from './ports.ts'

/**
 * Positional argument n by name. `object`: its keys are arguments themselves. `strings`: a list of ids. `json`: an array or object,
 * as JSON text on GET. Kinds decide how GET text is parsed; a `string` never becomes a number.
 */
export interface Argument {
  name: string
  kind: 'string' | 'number' | 'boolean' | 'strings' | 'json' | 'text-or-json' | 'object'
  /** Alternative names that clients of the same family send on GET. */
  aliases?: readonly string[]
}

/** `has` of a venue: false answers 501 NOT_SUPPORTED, anything else never does. */
export type Capability = boolean | 'emulated'

/** `union`: all venues' rows. `byId`: the id names the venue. `pure`: needs no venue. `only`: no venue has it. `no`: 501. */
export type RouterMode = 'union' | 'byId' | 'pure' | 'only' | 'no'

export interface VerbInput<Query = unknown> {
  query: Query
  exchange: Exchange
  /** Throws Fault PLAN_REQUIRED unless the caller's plan may read the archive as of this moment, epoch ms. */
  mayReadArchive(atMs: number): void
}

/** `source` and `asOf` are on every answer; `rows` are charged for, by default the length of `data`; `encoded` is the JSON text of `data`, and its siblings belong to that very Buffer. */
export type VerbAnswer =
  | { data: unknown; asOf: string | null; source: string; meta?: Readonly<Record<string, unknown>>; rows?: number }
  | { encoded: Buffer; siblings: Readonly<Record<string, unknown>>; rows?: number }
  | { stream: AsyncIterable<Uint8Array>; rows?: number }

export interface Method {
  name: string
  summary: string
  args: readonly Argument[]
  query: z.ZodObject
  data: z.ZodType
  has(venue: VenueReads): Capability
  router: RouterMode
  /** Only for plans that have it. */
  feature: Feature | undefined
  credits: number
  rowsPerCredit: number | undefined
  /** It reads many rows: few requests of one key run at once. */
  isHeavy(query: unknown): boolean
  /** Undefined: the common limit. */
  bodyBytesMax: number | undefined
  errors: readonly ErrorCode[]
  handle(input: VerbInput, markets: Markets): VerbAnswer | Promise<VerbAnswer>
}

export interface VerbSpec<Q extends z.ZodObject> {
  name: string
  summary: string
  args: readonly Argument[]
  query: Q
  data: z.ZodType
  /** Absent: every venue has it. */
  has?(venue: VenueReads): Capability
  router: RouterMode
  feature?: Feature
  credits?: number
  /** An answer of many rows costs a credit for so many of them. */
  rowsPerCredit?: number
  /** A function where it depends on the arguments. */
  heavy?: true | ((query: z.output<Q>) => boolean)
  bodyBytesMax?: number
  errors?: readonly ErrorCode[]
  handle(input: VerbInput<z.output<Q>>, markets: Markets): VerbAnswer | Promise<VerbAnswer>
}

export function defineVerb<Q extends z.ZodObject>(spec: VerbSpec<Q>): Method {
  const { heavy = false, ...rest } = spec
  return {
    ...rest,
    isHeavy: typeof heavy === 'function' ? (heavy as Method['isHeavy']) : () => heavy,
    has: spec.has ?? (() => true),
    feature: spec.feature,
    credits: spec.credits ?? 1,
    rowsPerCredit: spec.rowsPerCredit,
    bodyBytesMax: spec.bodyBytesMax,
    errors: spec.errors ?? [],
    // The route parses with this very schema before it calls.
    handle: spec.handle as Method['handle'],
  }
}
