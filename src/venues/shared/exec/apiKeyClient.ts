// A REST API where each request is signed with a caller's key, which lives only for that request. Orders go through `sendKeyed`: exact bytes,
// one attempt. Reads go through `findKeyed` and `readKeyed`, which may be retried. Credentials never appear in an answer.
import { z } from 'zod'
import type { Secret } from '#core/secret'
import type { SendOutcome } from '#net/http'
import type { QueriedVenue } from '#schemas/venues'
import type { LaneContext } from '../../lane.ts'
import { redactAnswer, redactBody } from '../redact.ts'
import { isReportedMissing, readFault } from './mapReadError.ts'
import type { ErrorCodes } from './relay.ts'

export const sendTimeoutMs = 10_000

/** As given by the caller, by the body's names. */
export type Credentials = Readonly<Record<string, Secret | undefined>>

const secretsIn = (credentials: Credentials): Secret[] =>
  Object.values(credentials).filter((secret) => secret !== undefined)

export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** After the base address; a query may follow. */
  path: string
  /** The body as signed. */
  text: string | null
}

type Headers = Record<string, string>

export interface ApiKeyClient<C extends Credentials, K extends Call = Call> {
  venue: QueriedVenue
  /** The lane's name for its base address. */
  base: string
  words: ErrorCodes
  /** For one request, signed at that moment. Throws VENUE_CREDENTIAL_REJECTED when the credentials cannot sign. */
  headers(context: LaneContext, credentials: C, call: K, url: string): Headers | Promise<Headers>
}

export async function sendKeyed<C extends Credentials, K extends Call>(
  api: ApiKeyClient<C, K>,
  context: LaneContext,
  credentials: C,
  call: K,
): Promise<SendOutcome> {
  const { sender, urls, signal } = context
  const { method, path, text } = call
  const url = `${urls[api.base]}${path}`
  const headers = () => api.headers(context, credentials, call, url)
  const sent = await sender.send({ method, url, text, headers, timeoutMs: sendTimeoutMs, signal })
  return redactAnswer(sent, secretsIn(credentials))
}

type Query = Readonly<Record<string, string | number | readonly string[]>>

interface Read<C, S> {
  context: LaneContext
  credentials: C
  path: string
  shape: S
  query?: Query
}

/** Null when the venue itself says that nothing exists at this path. Throws VENUE_CREDENTIAL_REJECTED, NETWORK_ERROR. */
export async function findKeyed<C extends Credentials, S extends z.ZodType>(
  api: ApiKeyClient<C>,
  read: Read<C, S>,
): Promise<z.output<S> | null> {
  const answer = await ask(api, read)
  return isReportedMissing(api.words, answer.status, answer.body) ? null : parsed(api, read, answer)
}

/** For things every account has, where "not found" is not a valid answer. Throws like `findKeyed`. */
export const readKeyed = async <C extends Credentials, S extends z.ZodType>(
  api: ApiKeyClient<C>,
  read: Read<C, S>,
): Promise<z.output<S>> => parsed(api, read, await ask(api, read))

interface Answer {
  status: number
  body: unknown
}

async function ask<C extends Credentials, S>(
  api: ApiKeyClient<C>,
  { context, credentials, path, query }: Read<C, S>,
): Promise<Answer> {
  const { http, urls, signal } = context
  const url = `${urls[api.base]}${path}`
  const headers = () => api.headers(context, credentials, { method: 'GET', path, text: null }, url)
  const { status, body } = await http.request({ url, headers, ...(query && { query }), signal })
  return { status, body: redactBody(body, secretsIn(credentials)) }
}

function parsed<C extends Credentials, S extends z.ZodType>(
  { venue, words }: ApiKeyClient<C>,
  { path, shape }: Read<C, S>,
  { status, body }: Answer,
): z.output<S> {
  const read = shape.safeParse(body)
  if (status === 200 && read.success) return read.data
  throw readFault(words, { venue, status, body, why: `${path} ${read.success ? '' : z.prettifyError(read.error)}` })
}
