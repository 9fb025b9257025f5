// A route defined once: from this value come the parser, the types, the OpenAPI entry, the metering weight, the family's answer
// while dark, and the shared refusal tests.
import type { z } from 'zod'
import type { FairSemaphore } from '#core/fairSemaphore'
import type { Principal, Scope } from '#platform/auth/principal'
import type { Feature } from '#platform/plans/plans'
import type { ErrorCode } from '#schemas/errors'
import { bodyBytesMax, type HttpCall } from './contract.ts'
import type { FeatureGroup } from './featureFlags.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * `feature`: only for plans that have it. `credits`: cost of one call; with `rowsPerCredit`, one credit for so many rows of the answer where
 * that is more (metering.ts). `itemsIn`: number of items in a valid body; `credits` is then the cost of one: all are reserved before the work,
 * and those in `rows` of the answer are charged. `anywhere`: also answered in blocked locations; the handler sees `isBlocked`.
 */
export type Access =
  | 'public'
  | {
      scope: Scope
      feature?: Feature
      credits: number
      rowsPerCredit?: number
      itemsIn?(body: unknown): number
      anywhere?: true
    }

/**
 * A handler's answer. `rawData` is the JSON text of `data`, encoded once: returning the same Buffer again must imply the same
 * `siblings`, because the finished envelope is cached by its identity. `raw` omits the envelope (NDJSON, text). `rows` is what the answer is
 * charged for where its route has `rowsPerCredit` (absent: the length of `data`) or `itemsIn` (absent: none). `refusedAfterWork`: on a free
 * route, its items that were refused after work was done for them (`Fault.afterWork`).
 */
export type RouteAnswer<Data = unknown> = { rows?: number | undefined; refusedAfterWork?: number | undefined } & (
  | { data: Data; siblings?: TopLevelFields; headers?: Readonly<Record<string, string>> }
  | { rawData: Buffer; siblings?: TopLevelFields; headers?: Readonly<Record<string, string>> }
  | { raw: RawBody; status?: number; headers?: Readonly<Record<string, string>> }
)

/** Top-level keys next to `success` and `data`: `asOf`, `provenance`, `meta`, `nextCursor`. */
export type TopLevelFields = Readonly<Record<string, unknown>>

export interface RawBody {
  /** Null when there is no body. */
  contentType: string | null
  body: string | Buffer | AsyncIterable<Uint8Array>
  /** Length of a stream in bytes, if known. */
  length?: number
}

/** Query values as text; a repeated name yields an array. */
export type QueryValues = Readonly<Record<string, string | string[]>>

export interface RouteInput<Params = unknown, Query = unknown, Body = unknown> {
  params: Params
  query: Query
  body: Body
  /** Null on public routes only. */
  principal: Principal | null
  /** ISO 3166-1 alpha-2, as reported by the operator's own edge; `unreadableCountry`; null when not reported. */
  country: string | null
  /** The caller's location is blocked. Only routes with `anywhere` ever see true. */
  isBlocked: boolean
  /** The validated `Idempotency-Key`; null on routes that take none. */
  idempotencyKey: string | null
  requestId: string
  /** For a handler whose work is heavy with some arguments only. */
  heavyReads: FairSemaphore
  call: HttpCall
}

/** The verb for which a lane validates a body. */
export type LaneVerb = 'build' | 'cancel' | 'modify' | 'submit' | 'refresh'

/** `line`: schema of each line of the body, as JSON. `words`: its description. `binary`: bytes, not text. */
export interface Media {
  line?: z.ZodType
  words?: string
  binary?: true
}

/** The erased form for the pipeline and the documents. */
export interface Route<Deps> {
  operationId: string
  methods: readonly Method[]
  /** `/v1/history/replay`, `/api/{exchange}/has`. */
  path: string
  family: FeatureGroup
  access: Access
  /** Every call must carry an `Idempotency-Key`. */
  keyed: boolean
  /** It reads many rows: few requests of one key run at once (heavyReads.ts). */
  heavy: boolean
  summary: string
  tag: string
  /** False: it only answers that it is not served here, and is in no document. */
  served: boolean
  /** It contacts a venue for the account, or concerns what is there: paper accounts get NOT_SUPPORTED. */
  liveOnly: boolean
  params: z.ZodType | null
  query: z.ZodType | null
  body: z.ZodType | null
  /** Larger bodies get a 413, before they are read. */
  bodyBytesMax: number
  /** Shape of `data`, or null when the answer is not an envelope. */
  data: z.ZodType | null
  /** Fields next to `data`, by name. */
  topLevelFields: Readonly<Record<string, z.ZodType>>
  /** Content type of a raw answer. */
  contentType: string
  /** Shape of a raw answer that is JSON without the envelope. */
  raw: z.ZodType | null
  /** Non-JSON bodies of a raw answer, by content type; any text under `contentType` when empty. */
  media: Readonly<Record<string, Media>>
  /** Response headers in addition to the common ones, by name, with descriptions. */
  headers: Readonly<Record<string, string>>
  /** Supports requests for a part of its body (`Range`). */
  ranges: boolean
  errors: readonly ErrorCode[]
  /** Its answers carry an `ETag`; a request with it in `If-None-Match` may get 304. */
  revalidates: boolean
  /** Documented shapes, for a handler that parses query and body by a convention of its own. */
  documented: { query: z.ZodType; body: z.ZodType } | null
  /** Its body is validated by the lane of the path, for this verb. */
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
  family?: FeatureGroup
  access: Access
  keyed?: boolean
  heavy?: true
  summary: string
  tag?: string
  served?: false
  liveOnly?: true
  params?: P
  query?: Q
  body?: B
  bodyBytesMax?: number
  data: z.ZodType | null
  topLevelFields?: Readonly<Record<string, z.ZodType>>
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
    heavy: spec.heavy ?? false,
    summary: spec.summary,
    tag: spec.tag ?? 'system',
    served: spec.served ?? true,
    liveOnly: spec.liveOnly ?? false,
    params: spec.params ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    bodyBytesMax: spec.bodyBytesMax ?? bodyBytesMax,
    data: spec.data,
    topLevelFields: spec.topLevelFields ?? {},
    contentType: spec.contentType ?? 'application/json',
    raw: spec.raw ?? null,
    media: spec.media ?? {},
    headers: spec.headers ?? {},
    ranges: spec.ranges ?? false,
    errors: spec.errors ?? [],
    revalidates: spec.revalidates ?? false,
    documented: spec.documented ?? null,
    laneVerb: spec.laneVerb ?? null,
    // The pipeline parses with these very schemas before it calls, so the erased input is the typed one.
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
