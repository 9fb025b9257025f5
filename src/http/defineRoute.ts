// A route said once: from this value come the parser, the types, the OpenAPI entry, the metering weight, what the family answers
// while dark, and the shared refusal tests.
import type { z } from 'zod'
import type { Principal, Scope } from '#platform/auth/principal'
import type { Feature } from '#platform/plans/plans'
import type { ErrorCode } from '#schemas/errors'
import { bodyBytesMax, type HttpCall } from './contract.ts'
import type { Family } from './families.ts'

export type Method = 'get' | 'post' | 'patch' | 'delete'

/**
 * `feature`: only plans that have it. `credits`: what one call weighs. `anywhere`: answered also where the deployment does not serve; the handler
 * sees `isBlocked`.
 */
export type Access = 'public' | { scope: Scope; feature?: Feature; credits: number; anywhere?: true }

/**
 * What a handler answers. `rawData` is the JSON text of `data`, encoded once: the same Buffer returned again must mean the same
 * `siblings`, because the finished envelope is remembered by its identity. `raw` leaves the envelope out (NDJSON, text).
 */
export type RouteAnswer<Data = unknown> =
  | { data: Data; siblings?: Siblings; headers?: Readonly<Record<string, string>> }
  | { rawData: Buffer; siblings?: Siblings; headers?: Readonly<Record<string, string>> }
  | { raw: RawBody; status?: number; headers?: Readonly<Record<string, string>> }

/** Top-level keys beside `success` and `data`: `asOf`, `provenance`, `meta`, `nextCursor`. */
export type Siblings = Readonly<Record<string, unknown>>

export interface RawBody {
  /** Null where there is no body. */
  contentType: string | null
  body: string | Buffer | AsyncIterable<Uint8Array>
  /** Bytes of a stream, where they are known. */
  length?: number
}

/** Query values as text; a repeated name gives an array. */
export type QueryValues = Readonly<Record<string, string | string[]>>

export interface RouteInput<Params = unknown, Query = unknown, Body = unknown> {
  params: Params
  query: Query
  body: Body
  /** Null on public routes only. */
  principal: Principal | null
  /** ISO 3166-1 alpha-2, as the operator's own edge says; `unreadableCountry`; null when not reported. */
  country: string | null
  /** The deployment does not serve where the caller is. Only routes that are open `anywhere` ever see true. */
  isBlocked: boolean
  /** The checked `Idempotency-Key`; null on routes that take none. */
  idempotencyKey: string | null
  requestId: string
  call: HttpCall
}

/** What a lane judges a body of. */
export type LaneVerb = 'build' | 'cancel' | 'modify' | 'submit' | 'refresh'

/** `line`: of which the body has one a line, as JSON. `words`: what is in it. `binary`: bytes, and no text. */
export interface Media {
  line?: z.ZodType
  words?: string
  binary?: true
}

/** The erased form the pipeline and the documents work with. */
export interface Route<Deps> {
  operationId: string
  methods: readonly Method[]
  /** `/v1/history/replay`, `/api/{exchange}/has`. */
  path: string
  family: Family
  access: Access
  /** Every call names its intent with an `Idempotency-Key`. */
  keyed: boolean
  summary: string
  tag: string
  /** False: it answers only that it is not served here, and stands in no document. */
  served: boolean
  params: z.ZodType | null
  query: z.ZodType | null
  body: z.ZodType | null
  /** Larger bodies are 413, before they are read. */
  bodyBytesMax: number
  /** Shape of `data`, or null where the answer is not an envelope. */
  data: z.ZodType | null
  /** What stands beside `data`, by name. */
  beside: Readonly<Record<string, z.ZodType>>
  /** Content type of a raw answer. */
  contentType: string
  /** Shape of a raw answer that is JSON without the envelope. */
  raw: z.ZodType | null
  /** Bodies of a raw answer that are no JSON, by content type; any text under `contentType` when empty. */
  media: Readonly<Record<string, Media>>
  /** Headers that its answers may have in addition to the common ones, by name, in words. */
  headers: Readonly<Record<string, string>>
  /** A part of its body can be asked for (`Range`). */
  ranges: boolean
  errors: readonly ErrorCode[]
  /** Its answers carry an `ETag`; who sends that back in `If-None-Match` may get 304. */
  revalidates: boolean
  /** What the documents show where the handler itself reads query and body by a convention of its own. */
  documented: { query: z.ZodType; body: z.ZodType } | null
  /** Its body is judged by the lane of the path, as this. */
  laneVerb: LaneVerb | null
  handle(input: RouteInput, deps: Deps): RouteAnswer | Promise<RouteAnswer>
}

type Out<S extends z.ZodType | undefined, Absent> = S extends z.ZodType ? z.output<S> : Absent

export interface RouteSpec<
  Deps,
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
> {
  operationId: string
  method: Method | readonly Method[]
  path: string
  family?: Family
  access: Access
  keyed?: boolean
  summary: string
  tag?: string
  served?: false
  params?: P
  query?: Q
  body?: B
  bodyBytesMax?: number
  data: z.ZodType | null
  beside?: Readonly<Record<string, z.ZodType>>
  contentType?: string
  raw?: z.ZodType
  media?: Route<Deps>['media']
  headers?: Route<Deps>['headers']
  ranges?: true
  errors?: readonly ErrorCode[]
  revalidates?: true
  documented?: Route<Deps>['documented']
  laneVerb?: LaneVerb
  handle(
    input: RouteInput<Out<P, Readonly<Record<string, string>>>, Out<Q, QueryValues>, Out<B, unknown>>,
    deps: Deps,
  ): RouteAnswer | Promise<RouteAnswer>
}

export function defineRoute<
  Deps,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: RouteSpec<Deps, P, Q, B>): Route<Deps> {
  return {
    operationId: spec.operationId,
    methods: typeof spec.method === 'string' ? [spec.method] : spec.method,
    path: spec.path,
    family: spec.family ?? 'core',
    access: spec.access,
    keyed: spec.keyed ?? false,
    summary: spec.summary,
    tag: spec.tag ?? 'system',
    served: spec.served ?? true,
    params: spec.params ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    bodyBytesMax: spec.bodyBytesMax ?? bodyBytesMax,
    data: spec.data,
    beside: spec.beside ?? {},
    contentType: spec.contentType ?? 'application/json',
    raw: spec.raw ?? null,
    media: spec.media ?? {},
    headers: spec.headers ?? {},
    ranges: spec.ranges ?? false,
    errors: spec.errors ?? [],
    revalidates: spec.revalidates ?? false,
    documented: spec.documented ?? null,
    laneVerb: spec.laneVerb ?? null,
    // The pipeline parses with the very schemas above before it calls, so the erased input is the typed one.
    handle: spec.handle as Route<Deps>['handle'],
  }
}

const keyErrors = ['IDEMPOTENCY_KEY_REQUIRED', 'RESERVED_IDEMPOTENCY_KEY', 'IDEMPOTENCY_CONFLICT'] as const

/** Common refusals, in addition to those a route lists itself. */
export function commonErrors({ access, keyed }: Pick<Route<never>, 'access' | 'keyed'>): readonly ErrorCode[] {
  if (access === 'public') return ['BAD_REQUEST', 'VALIDATION_ERROR', 'INTERNAL']
  const always = [
    'BAD_REQUEST',
    'VALIDATION_ERROR',
    'UNAUTHORIZED',
    'SCOPE_MISSING',
    'GEO_BLOCKED',
    'RATE_LIMITED',
    'PLATFORM_UNAVAILABLE',
    'INTERNAL',
  ] as const
  const plan = access.feature === undefined ? [] : (['PLAN_REQUIRED'] as const)
  const credits = access.credits > 0 ? (['INSUFFICIENT_CREDITS'] as const) : []
  const key = keyed ? keyErrors : []
  return [...always, ...plan, ...credits, ...key]
}
