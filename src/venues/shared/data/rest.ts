// One read of a venue's REST interface: an address, the shape of its response, and how the venue says that something is unknown.
import type { z } from 'zod'
import { Fault } from '#core/fault'
import type { HttpRequest, HttpResponse } from '#net/http'
import { AnswerTooComplex } from '#net/jsonScan'
import type { VenueContext } from '../../venueContext.ts'
import { countingLost } from './row.ts'

/** The part of a context that a read needs. */
export type RestContext = Pick<VenueContext, 'venue' | 'http' | 'urls' | 'signal' | 'lostField'>

export interface Read<S extends z.ZodType> extends Omit<HttpRequest, 'url' | 'signal' | 'body'> {
  /** Which of the manifest's `urls`; defaults to REST. */
  base?: string
  /** Appended to the base, with caller input already encoded. */
  path: string
  /** Names the read in the log; defaults to its path. */
  what?: string
  /** Body of a POST, as JSON. */
  send?: unknown
  body: S
  /** Whether the response means that the venue does not know the thing; by default, any 404. */
  isUnknown?(answer: HttpResponse): boolean
}

/** The parsed body; null when the venue does not know the thing. Throws NETWORK_ERROR for any other response. */
export async function read<S extends z.ZodType>(context: RestContext, request: Read<S>): Promise<z.output<S> | null> {
  const { base = 'REST', path, what = path, send, body, isUnknown = isNotFound, ...rest } = request
  const url = context.urls[base]
  if (url === undefined) {
    throw new Fault('INTERNAL', `${context.venue} has no ${base} address`, { exchange: context.venue })
  }
  const { http, signal } = context
  const answer = await http.request({ ...rest, url: url + path, signal, ...(send === undefined ? {} : { body: send }) })
  const { status } = answer
  if (isUnknown(answer) && !isRouteGone(answer)) return null
  if (status < 200 || status > 299) {
    throw unreadable(context, what, `status ${status} ${JSON.stringify(answer.body)?.slice(0, 200) ?? ''}`, { status })
  }
  const parsed = countingLost(context, () => body.safeParse(answer.body))
  if (!parsed.success) throw unreadable(context, what, parsed.error.message.slice(0, 500))
  return parsed.data
}

/** Like `read`, for things the venue must know, such as a list: its 404 is about the route, and so a fault, never an empty list. */
export async function readKnown<S extends z.ZodType>(context: RestContext, request: Read<S>): Promise<z.output<S>> {
  const body = await read(context, request)
  if (body === null) throw unreadable(context, request.path, 'it does not know this list', { status: 404 })
  return body
}

const isNotFound = ({ status }: HttpResponse): boolean => status === 404

/** What web frameworks answer for a path they do not serve: it says nothing about the requested item. */
const routeGone =
  /\bcannot (get|post) \/|404 page not found|\b(route|endpoint|path|url) (was )?not found|no route matched/i

function isRouteGone({ status, body }: HttpResponse): boolean {
  if (status !== 404) return false
  return routeGone.test(typeof body === 'string' ? body.slice(0, 500) : (JSON.stringify(body)?.slice(0, 500) ?? ''))
}

/** An unusable response. `detail` is for the log, `cause` for `isRefusal`. */
export const unreadable = (
  { venue }: Pick<RestContext, 'venue'>,
  what: string,
  detail: string,
  cause?: { status: number },
): Fault =>
  new Fault('NETWORK_ERROR', `${venue} sent an unusable answer`, {
    exchange: venue,
    detail: `${what}: ${detail}`,
    ...(cause === undefined ? {} : { cause }),
  })

/** The venue refused the request itself: repeating it would not help. */
export function isRefusal(error: unknown): boolean {
  const status = error instanceof Fault ? (error.cause as { status?: unknown } | undefined)?.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500
}

/** Seconds the venue asks us to wait; null when the read failed for another reason. */
export const waitOf = (error: unknown): number | null =>
  error instanceof Fault ? (error.retryAfterSeconds ?? null) : null

/** The client aborts a body beyond its limit, and one that holds too much: a shorter page may do. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Fault &&
  (error.cause instanceof AnswerTooComplex ||
    (error.cause as { code?: unknown } | undefined)?.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
