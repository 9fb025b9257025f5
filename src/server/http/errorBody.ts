// The two envelopes as bytes: success and failure look the same on every route.
import { describeFailure } from '#core/failure'
import { Fault } from '#core/fault'
import type { ErrorEnvelope } from '#schemas/errors'
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

/** A `Fault` answers with its code; anything else is our own error and answers INTERNAL. */
export function failureOf(error: unknown, requestId: string, headers: Record<string, string>): HttpAnswer {
  const { status, error: described } = describeFailure(error, requestId)
  const envelope: ErrorEnvelope = { success: false, error: described }
  if (error instanceof Fault) Object.assign(headers, error.headers)
  headers['content-type'] = json
  if (described.retryAfter !== undefined) headers['retry-after'] = String(described.retryAfter)
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  return { status, headers, body: JSON.stringify(envelope) }
}
