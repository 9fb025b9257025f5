// One read of a venue's REST interface: an address, the shape of its answer, and how the venue says that it does not know something.
import type { z } from 'zod'
import { Fault } from '#lib/fault'
import type { HttpRequest, HttpResponse } from '#net/http'
import type { VenueContext } from '../../venue.ts'

/** What a read needs of its context. */
export type RestContext = Pick<VenueContext, 'venue' | 'http' | 'urls' | 'signal'>

export interface Read<S extends z.ZodType> extends Omit<HttpRequest, 'url' | 'signal' | 'body'> {
  /** Which of the manifest's `urls`; REST where there is one. */
  base?: string
  /** Behind the base, with what callers name already encoded. */
  path: string
  /** Which read it is, for the log; its path, where nothing is said. */
  what?: string
  /** Of a POST, as JSON. */
  send?: unknown
  body: S
  /** Whether the venue says that it does not know the thing; any 404, where nothing is said. */
  isUnknown?(answer: HttpResponse): boolean
}

/** The parsed body; null where the venue does not know the thing. Throws NETWORK_ERROR for every other answer. */
export async function read<S extends z.ZodType>(context: RestContext, request: Read<S>): Promise<z.output<S> | null> {
  const { base = 'REST', path, what = path, send, body, isUnknown = isNotFound, ...rest } = request
  const url = context.urls[base]
  if (url === undefined) {
    throw new Fault('INTERNAL', `${context.venue} has no ${base} address`, { exchange: context.venue })
  }
  const { http, signal } = context
  const answer = await http.request({ ...rest, url: url + path, signal, ...(send === undefined ? {} : { body: send }) })
  if (isUnknown(answer)) return null
  const { status } = answer
  if (status < 200 || status > 299) {
    throw unreadable(context, what, `status ${status} ${JSON.stringify(answer.body)?.slice(0, 200) ?? ''}`)
  }
  const parsed = body.safeParse(answer.body)
  if (!parsed.success) throw unreadable(context, what, parsed.error.message.slice(0, 500))
  return parsed.data
}

/** As `read`, of what the venue cannot but know, such as a list. */
export async function readKnown<S extends z.ZodType>(context: RestContext, request: Read<S>): Promise<z.output<S>> {
  const body = await read(context, request)
  if (body === null) throw unreadable(context, request.path, 'it does not know this list')
  return body
}

const isNotFound = ({ status }: HttpResponse): boolean => status === 404

/** An answer that we cannot use. `detail` is for the log. */
export const unreadable = ({ venue }: Pick<RestContext, 'venue'>, what: string, detail: string): Fault =>
  new Fault('NETWORK_ERROR', `${venue} sent an unusable answer`, {
    exchange: venue,
    detail: `${what}: ${detail}`,
  })

/** Seconds the venue wants to be left alone; null where a read failed of something else. */
export const waitOf = (error: unknown): number | null =>
  error instanceof Fault ? (error.retryAfterSeconds ?? null) : null

/** The client gives up on a body beyond its limit. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Fault && (error.cause as { code?: unknown } | undefined)?.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
