// The two envelopes as bytes: success and failure look the same on every route.
import { Fault } from '#core/fault'
import { type ErrorEnvelope, isRetryable, statusOf } from '#schemas/errors'
import type { HttpAnswer } from './contract.ts'
import type { RouteAnswer, TopLevelFields } from './defineRoute.ts'

const json = 'application/json; charset=utf-8'
const opening = Buffer.from('{"success":true,"data":')

/**
 * Finished envelopes by the identity of their encoded data: a hot book is assembled once per update, not once per read.
 */
const finished = new WeakMap<Buffer, Buffer>()

/** `isLab`: everything that states its provenance also states that it is made up. */
export function responseOf(answer: RouteAnswer, headers: Record<string, string>, isLab = false): HttpAnswer {
  if (answer.headers !== undefined) Object.assign(headers, answer.headers)
  if ('raw' in answer) {
    if (answer.raw.contentType !== null) headers['content-type'] = answer.raw.contentType
    const { body, length } = answer.raw
    return { status: answer.status ?? 200, headers, body, ...(length !== undefined && { length }) }
  }
  headers['content-type'] = json
  const siblings = isLab ? labelled(answer.siblings) : answer.siblings
  if ('rawData' in answer) return { status: 200, headers, body: joined(answer.rawData, siblings, isLab) }
  const body = isLab
    ? `{"success":true,"data":${marked(JSON.stringify(answer.data ?? null))}${tailOf(siblings)}`
    : JSON.stringify({ success: true, data: answer.data ?? null, ...siblings })
  return { status: 200, headers, body }
}

/** Cannot occur inside a JSON string: quotes are escaped there. */
const provenances = /"provenance":\{"source":"[^"\\]*"/g
/** The same JSON, with the provenance of its parts marked. */
const marked = (json: string): string => json.replace(provenances, '$&,"lab":true')

function tailOf(siblings: TopLevelFields | undefined): string {
  const tail = siblings === undefined ? '{}' : JSON.stringify(siblings)
  return tail === '{}' ? '}' : `,${tail.slice(1)}`
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Provenance is next to `data`, or in its `meta`. */
function labelled(siblings: TopLevelFields | undefined): TopLevelFields | undefined {
  if (siblings === undefined) return undefined
  const { provenance, meta } = siblings
  return {
    ...siblings,
    ...(isObject(provenance) && { provenance: { ...provenance, lab: true } }),
    ...(isObject(meta) && { meta: labelled(meta as TopLevelFields) }),
  }
}

function joined(rawData: Buffer, siblings: TopLevelFields | undefined, isLab: boolean): Buffer {
  const before = finished.get(rawData)
  if (before !== undefined) return before
  const data = isLab ? Buffer.from(marked(rawData.toString())) : rawData
  const body = Buffer.concat([opening, data, Buffer.from(tailOf(siblings))])
  finished.set(rawData, body)
  return body
}

/** Default Retry-After of a transient 503. */
const soonSeconds = 1

const mayPass = (fault: Fault): boolean => fault.retryable ?? isRetryable(fault.code)

function retryAfterOf(fault: Fault, status: number): number | undefined {
  if (fault.retryAfterSeconds !== undefined) return Math.ceil(fault.retryAfterSeconds)
  return status === 503 && mayPass(fault) ? soonSeconds : undefined
}

/** A `Fault` answers with its code; anything else is our own error and answers INTERNAL. */
export function failureOf(error: unknown, requestId: string, headers: Record<string, string>): HttpAnswer {
  const fault = error instanceof Fault ? error : new Fault('INTERNAL', 'unexpected failure; quote the requestId')
  const status = fault.status ?? statusOf(fault.code)
  const retryAfter = retryAfterOf(fault, status)
  const envelope: ErrorEnvelope & { error: { retryAfter?: number } } = {
    success: false,
    error: {
      message: fault.message,
      code: fault.code,
      retryable: mayPass(fault),
      requestId,
      ...(fault.exchange === undefined ? {} : { exchange: fault.exchange }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  }
  Object.assign(headers, fault.headers)
  headers['content-type'] = json
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  return { status, headers, body: JSON.stringify(envelope) }
}
