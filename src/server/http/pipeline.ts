// The stages every request passes, in order, as one list. A stage returns nothing, or a promise when it must wait; while none waits the
// whole request is answered synchronously.
//
//   receive → match → size → family → method → authenticate → scope → paper → plan → geofence → rate → credits → validate → items →
//   idempotency → handle → rows → refusals → envelope
import { z } from 'zod'
import { findUnknown, suggestUnknown } from '#core/didYouMean'
import { logFailure } from '#core/failure'
import type { FairSemaphore } from '#core/fairSemaphore'
import { Fault } from '#core/fault'
import { formatCount } from '#core/formatCount'
import { formatIssues } from '#core/formatZodIssues'
import { isPaper, type Principal, type Verification } from '#platform/auth/principal'
import type { CreditsPort, Reservation } from '#platform/credits/port'
import { blockedCountries } from '#platform/geofence/geofence'
import { cheapestPlanWith, type Feature, type Plans } from '#platform/plans/plans'
import { bodyBytesMax, type HttpAnswer, type HttpCall, type HttpHandler } from './contract.ts'
import type { Method, QueryValues, Route, RouteAnswer } from './defineRoute.ts'
import { failureOf, responseOf } from './errorBody.ts'
import { disabledResponses, isEnabled } from './featureFlags.ts'
import { createHeavyReads } from './heavyReads.ts'
import { readIdempotencyKey } from './idempotencyKey.ts'
import { parseJsonBody, parseLargeJsonBody } from './jsonBody.ts'
import { PathTree } from './matchRoute.ts'
import { costOf, meterByWork, metered, takeIfThere, unmetered } from './metering.ts'
import type { HttpDeps } from './ports.ts'
import { parseQuery } from './query.ts'
import { createRequestIds } from './requestId.ts'
import { watchedStream } from './watchedStream.ts'

/** One request on its way. Stages fill it in from left to right. */
interface Passage<Deps> {
  readonly call: HttpCall
  readonly requestId: string
  readonly begunMs: number
  /** Sent with the answer, whether it succeeds or fails. */
  readonly headers: Record<string, string>
  readonly heavyReads: FairSemaphore
  route: Route<Deps>
  principal: Principal | null
  country: string | null
  isBlocked: boolean
  params: unknown
  query: unknown
  body: unknown
  idempotencyKey: string | null
  /** The reserved cost of this request; null when it is free. */
  reservation: Reservation | null
  /** The credits in `reservation`. */
  cost: number
  answer: RouteAnswer | null
}

type Stage<Deps> = (passage: Passage<Deps>, deps: HttpDeps & Deps) => void | Promise<void>

export function createHttpHandler<Deps>(routes: readonly Route<Deps>[], deps: HttpDeps & Deps): HttpHandler {
  const tree = new PathTree<Route<Deps>>(['exchange'])
  for (const route of routes) tree.add(route.path, route)
  const newRequestId = deps.newRequestId ?? createRequestIds()
  const { answers, clock } = deps
  const heavyReads = createHeavyReads()

  const stages: readonly Stage<Deps>[] = [
    (passage) => matchRoute(tree, passage),
    refuseLargeBody,
    refuseDarkFamily,
    refuseWrongMethod,
    authenticate,
    checkScope,
    refusePaper,
    checkPlan,
    checkCountry,
    limitRate,
    reserveCredits,
    validate,
    reserveItems,
    nameIntent,
    runHandler,
    reserveRows,
    chargeRefusals,
  ]

  const measured = (answer: HttpAnswer, { route, begunMs }: Passage<Deps>): HttpAnswer => {
    // Unknown paths count as one.
    answers?.observe(route?.operationId ?? 'none', answer.status, clock.monotonic() - begunMs)
    return answer
  }

  const fail = (error: unknown, passage: Passage<Deps>): HttpAnswer | Promise<HttpAnswer> => {
    report(error, passage, deps)
    const answer = measured(failureOf(error, passage.requestId, passage.headers), passage)
    const isPaid = error instanceof Fault && error.afterWork
    return isPaid ? meterByWork(answer, passage, deps) : unmetered(answer, passage, deps)
  }

  const succeed = (passage: Passage<Deps>): HttpAnswer => {
    const answer = metered(responseOf(passage.answer!, passage.headers, deps.lab), passage, deps)
    const { body } = answer
    if (typeof body === 'string' || Buffer.isBuffer(body)) return measured(answer, passage)
    // A reader that leaves ends its source, which is no failure.
    const failed = (error: unknown): void => {
      if (!passage.call.signal.aborted) report(error, passage, deps)
    }
    return measured({ ...answer, body: watchedStream(body, failed) }, passage)
  }

  const finish = async (waiting: Promise<void>, next: number, passage: Passage<Deps>): Promise<HttpAnswer> => {
    try {
      await waiting
      for (let i = next; i < stages.length; i++) await stages[i]!(passage, deps)
      return succeed(passage)
    } catch (error) {
      return fail(error, passage)
    }
  }

  return (call) => {
    const requestId = newRequestId()
    const passage: Passage<Deps> = {
      call,
      requestId,
      begunMs: clock.monotonic(),
      headers: { 'x-request-id': requestId },
      heavyReads,
      // Set by the match stage, which precedes every later stage.
      route: undefined as unknown as Route<Deps>,
      principal: null,
      country: null,
      isBlocked: false,
      params: null,
      query: null,
      body: undefined,
      idempotencyKey: null,
      reservation: null,
      cost: 0,
      answer: null,
    }
    try {
      if (call.method === 'OPTIONS') {
        matchRoute(tree, passage)
        refuseDarkFamily(passage, deps)
        return { status: 204, headers: passage.headers, body: '' }
      }
      for (let i = 0; i < stages.length; i++) {
        const waiting = stages[i]!(passage, deps)
        if (waiting !== undefined) return finish(waiting, i + 1, passage)
      }
      return succeed(passage)
    } catch (error) {
      return fail(error, passage)
    }
  }
}

/** Before anything is parsed. The gateway stops reading earlier; this covers any other caller. */
function refuseLargeBody<Deps>({ call, route }: Passage<Deps>): void {
  if (call.body.length <= route.bodyBytesMax) return
  throw new Fault('VALIDATION_ERROR', `the body is larger than ${route.bodyBytesMax} bytes`, { status: 413 })
}

function matchRoute<Deps>(tree: PathTree<Route<Deps>>, passage: Passage<Deps>): void {
  const match = tree.match(passage.call.path)
  if (match === null) throw new Fault('ROUTE_NOT_FOUND', 'no such route')
  const method = passage.call.method.toLowerCase() as Method
  passage.params = match.params
  const route = match.found.find((candidate) => candidate.methods.includes(method))
  // The first route represents the path until the method is checked: a dark family must not reveal its methods.
  passage.route = route ?? match.found[0]!
  if (route === undefined) passage.headers.allow = allowed(match.found)
}

/** HEAD is handled by the gateway, which asks for GET; OPTIONS is answered everywhere. */
function allowed<Deps>(found: readonly Route<Deps>[]): string {
  const methods = found.flatMap((candidate) =>
    candidate.methods.flatMap((name) => (name === 'get' ? ['GET', 'HEAD'] : [name.toUpperCase()])),
  )
  return [...methods, 'OPTIONS'].join(', ')
}

function refuseDarkFamily<Deps>({ route, headers }: Passage<Deps>, { families }: HttpDeps): void {
  if (route.family === 'core' || isEnabled(route.family, families)) return
  delete headers.allow
  const [code, message] = disabledResponses[route.family]
  // Every call gets the same answer until it is switched on.
  throw new Fault(code, message, { retryable: false })
}

function refuseWrongMethod<Deps>({ headers }: Passage<Deps>): void {
  if (headers.allow !== undefined)
    throw new Fault('BAD_REQUEST', `this route accepts ${headers.allow}`, { status: 405 })
}

function authenticate<Deps>(passage: Passage<Deps>, { verifier }: HttpDeps): void | Promise<void> {
  if (passage.route.access === 'public') return
  const key = apiKeyOf(passage.call.headers)
  if (key === null) throw new Fault('UNAUTHORIZED', 'send an API key: Authorization: Bearer <key>')
  const verification = verifier.verify(key)
  if (verification instanceof Promise) return verification.then((waited) => admit(passage, waited))
  admit(passage, verification)
}

function admit<Deps>(passage: Passage<Deps>, verification: Verification): void {
  if (verification.kind === 'invalid') throw new Fault('UNAUTHORIZED', 'the API key is unknown or revoked')
  if (verification.kind === 'inconclusive') {
    throw new Fault(
      'PLATFORM_UNAVAILABLE',
      'PostgreSQL is not available right now, so the API key cannot be checked: try again shortly',
      {
        cause: verification.cause,
        retryAfterSeconds: 1,
      },
    )
  }
  passage.principal = verification.principal
}

/** Only from the headers: an address ends up in logs, a key must not. */
function apiKeyOf(headers: Readonly<Record<string, string>>): string | null {
  const authorization = headers.authorization
  if (authorization !== undefined && (authorization.startsWith('Bearer ') || /^bearer /i.test(authorization))) {
    const key = authorization.slice(7).trim()
    if (key !== '') return key
  }
  const key = headers['x-api-key']?.trim()
  return key === undefined || key === '' ? null : key
}

function checkScope<Deps>({ route: { access }, principal }: Passage<Deps>): void {
  if (access === 'public' || principal!.scopes.includes(access.scope)) return
  throw new Fault('SCOPE_MISSING', `this route needs a key with the scope ${access.scope}`)
}

function refusePaper<Deps>({ route, principal }: Passage<Deps>): void {
  if (!route.liveOnly || principal === null || !isPaper(principal)) return
  throw new Fault('NOT_SUPPORTED', 'a paper account has nothing at a venue: use a live key, or /v1/paper')
}

function checkPlan<Deps>({ route: { access }, principal }: Passage<Deps>, { plans }: HttpDeps): void {
  if (access !== 'public' && access.feature !== undefined) requireFeature(plans, principal!, access.feature)
}

/** Also for a handler, when part of a route is gated. */
export function requireFeature(plans: Plans, { plan }: Principal, feature: Feature): void {
  if (plans[plan].features[feature]) return
  const cheapest = cheapestPlanWith(plans, feature)
  const where = cheapest === null ? '' : `; the plan ${cheapest} does`
  throw new Fault('PLAN_REQUIRED', `the plan ${plan} does not include ${feature}${where}`)
}

const dayMs = 86_400_000

/** The earliest moment of history that a plan includes, epoch ms; null: unlimited. */
export function historyFloorOf(plans: Plans, { plan }: Principal, nowMs: number): number | null {
  const { historyDays } = plans[plan]
  return historyDays === null ? null : nowMs - historyDays * dayMs
}

/** Without replay, the tape cannot be read moment by moment either. */
export function requireArchive(plans: Plans, principal: Principal, atMs: number, nowMs: number): void {
  requireFeature(plans, principal, 'replay')
  const floorMs = historyFloorOf(plans, principal, nowMs)
  if (floorMs !== null && atMs < floorMs)
    throw new Fault('PLAN_REQUIRED', 'since is before the history this plan includes')
}

function checkCountry<Deps>(passage: Passage<Deps>, { geofence }: HttpDeps): void {
  if (geofence === undefined || passage.route.access === 'public') return
  const country = geofence.countryOf(passage.call)
  passage.country = country
  if (country === null || !geofence.blocks(country)) return
  passage.isBlocked = true
  if (passage.route.access.anywhere !== true) throw blockedCountries(country)
}

function limitRate<Deps>({ principal, headers }: Passage<Deps>, { rateLimiter, plans }: HttpDeps): void {
  if (principal === null) return
  const verdict = rateLimiter.take(principal.keyId, plans[principal.plan].requestsPerMinute)
  headers['ratelimit-limit'] = String(verdict.limit)
  headers['ratelimit-remaining'] = formatCount(verdict.remaining)
  headers['ratelimit-reset'] = String(verdict.resetSeconds)
  if (verdict.allowed) return
  throw new Fault('RATE_LIMITED', `more than ${verdict.limit} requests in a minute`, {
    retryAfterSeconds: verdict.retryAfterSeconds,
  })
}

function reserveCredits<Deps>(passage: Passage<Deps>, { credits }: HttpDeps): void | Promise<void> {
  const { route, principal, headers } = passage
  if (credits === undefined || principal === null || route.access === 'public' || route.access.credits === 0) return
  // Until the answer is final.
  headers['x-credits-charged'] = '0'
  return reserve(passage, principal, credits, route.access.credits)
}

function reserve<Deps>(
  passage: Passage<Deps>,
  principal: Principal,
  credits: CreditsPort,
  cost: number,
): void | Promise<void> {
  const reservation = credits.reserve(principal, cost, passage.route.operationId)
  passage.cost = cost
  if (!(reservation instanceof Promise)) {
    passage.reservation = reservation
    return
  }
  return reservation.then((waited) => {
    passage.reservation = waited
  })
}

/** How many items a body has is known only now. An account that cannot pay for all of them is refused before any work. */
function reserveItems<Deps>(passage: Passage<Deps>, { credits }: HttpDeps): void | Promise<void> {
  const { route, reservation, principal, body } = passage
  if (reservation === null || credits === undefined || principal === null) return
  if (route.access === 'public' || route.access.itemsIn === undefined) return
  return reserveInstead(passage, principal, credits, route.access.credits * route.access.itemsIn(body))
}

/** How many rows an answer has is known only now. An account that cannot pay for them is refused and pays nothing. */
function reserveRows<Deps>(passage: Passage<Deps>, { credits }: HttpDeps): void | Promise<void> {
  const { route, reservation, principal, answer } = passage
  if (reservation === null || credits === undefined || principal === null) return
  return reserveInstead(passage, principal, credits, costOf(route.access, answer!))
}

/** In one reservation, because each counts as a call. */
function reserveInstead<Deps>(
  passage: Passage<Deps>,
  principal: Principal,
  credits: CreditsPort,
  cost: number,
): void | Promise<void> {
  if (cost === passage.cost) return
  passage.reservation?.release()
  passage.reservation = null
  if (cost > 0) return reserve(passage, principal, credits, cost)
}

/** On a free route, every item refused after work was done for it costs a credit; nothing if the account has fewer. */
function chargeRefusals<Deps>(passage: Passage<Deps>, { credits }: HttpDeps): void | Promise<void> {
  const { route, principal, answer } = passage
  const refused = answer!.refusedAfterWork ?? 0
  if (refused === 0 || credits === undefined || principal === null) return
  if (route.access === 'public' || route.access.credits > 0) return
  return takeIfThere(credits, principal, refused, route.operationId).then((taken) => {
    passage.reservation = taken
    passage.cost = refused
  })
}

function validate<Deps>(passage: Passage<Deps>): void | Promise<void> {
  const { call, route } = passage
  if (route.params !== null) passage.params = parseWith(route.params, passage.params)
  const query = parseQuery(call.query)
  const isGet = call.method.toUpperCase() === 'GET'
  if (takesNone(route, isGet)) refuseAnyParameter(query)
  passage.query = route.query === null ? query : parseWith(route.query, query)
  // A body on GET is meaningless and is not read.
  if (isGet) return
  const take = (body: unknown): void => {
    if (route.body !== null) body = parseWith(route.body, body)
    else if (route.documented === null && route.served) refuseAnyField(body)
    passage.body = body
  }
  if (call.body.length > bodyBytesMax) return parseLargeJsonBody(call.body).then(take)
  take(parseJsonBody(call.body))
}

/**
 * A handler that parses its query itself also validates its names, and reads it on GET only. An unserved route answers so regardless of
 * input.
 */
const takesNone = <Deps>({ query, documented, served }: Route<Deps>, isGet: boolean): boolean =>
  query === null && (documented === null || !isGet) && served

function refuseAnyParameter(query: QueryValues): void {
  const [name] = Object.keys(query)
  if (name !== undefined) throw new Fault('VALIDATION_ERROR', suggestUnknown({ path: [], name, known: [] }))
}

/** Nothing, or an empty object. A handler that parses its body itself also validates it. */
function refuseAnyField(body: unknown): void {
  if (body !== undefined) parseWith(z.strictObject({}), body)
}

/** The first error, with the field's name. An unknown name comes first: it explains why another is missing. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const unknown = findUnknown(schema, value)
  if (unknown !== null) throw new Fault('VALIDATION_ERROR', suggestUnknown(unknown))
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Fault('VALIDATION_ERROR', formatIssues(parsed.error.issues))
}

/** What the key led to before is looked up by the handler: only it knows what the key is bound to. */
function nameIntent<Deps>(passage: Passage<Deps>): void {
  if (passage.route.keyed)
    passage.idempotencyKey = readIdempotencyKey(
      passage.call.headers['idempotency-key'],
      passage.call.timesOf('idempotency-key'),
    )
}

function runHandler<Deps>(passage: Passage<Deps>, deps: Deps): void | Promise<void> {
  const { route, principal, call, heavyReads } = passage
  const answer =
    route.heavy && principal !== null
      ? heavyReads.run(principal.keyId, () => route.handle(passage, deps), call.signal)
      : route.handle(passage, deps)
  if (!(answer instanceof Promise)) {
    passage.answer = answer
    return
  }
  return answer.then((waited) => {
    passage.answer = waited
  })
}

function report<Deps>(error: unknown, { requestId, route, call }: Passage<Deps>, { log }: HttpDeps): void {
  logFailure(log, error, { requestId, operationId: route?.operationId, method: call.method, path: call.path })
}
