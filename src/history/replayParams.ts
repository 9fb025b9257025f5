// Validates replay parameters. Pure: texts in, a validated request or VALIDATION_ERROR out.
import { Fault } from '#core/fault'
import { parseDecimalNumber } from '#core/parseDecimal'
import { parseTimestamp } from '#core/timestamp'
import { canonicalVenue, servedVenues } from '#schemas/venues'
import {
  type ReplayFormat,
  type ReplayKind,
  type ReplayResolution,
  replayFormats,
  replayKinds,
  replayResolutions,
} from './tape.ts'

export const replayRowsDefault = 5_000
export const replayRowsMax = 20_000
/** `until` is at most this long after `since`. */
export const replayWindowMaxMs = 31 * 86_400_000
/** Longer ids are rejected as invalid. */
const idLengthMax = 256
/** Epoch ms of 2100-01-01: later times are in the wrong unit. */
const timeMax = 4_102_444_800_000

/** As in the query string; all may be missing. */
export type ReplayParams = Partial<
  Record<
    'venue' | 'outcomeId' | 'marketId' | 'kind' | 'since' | 'until' | 'resolution' | 'limit' | 'cursor' | 'format',
    string
  >
>

export interface ReplayRequest {
  venue: string
  outcomeId: string
  marketId: string | null
  kind: ReplayKind
  resolution: ReplayResolution | undefined
  sinceMs: number
  untilMs: number
  limit: number
  cursor: string | null
  format: ReplayFormat
}

export function parseReplayParams(params: ReplayParams): ReplayRequest {
  const venue = parseVenue(params.venue)
  const kind = oneOf('kind', replayKinds, required('kind', params.kind))
  const { sinceMs, untilMs } = parseWindow(params)
  return {
    venue,
    outcomeId: parseId('outcomeId', required('outcomeId', params.outcomeId)),
    marketId: params.marketId === undefined ? null : parseId('marketId', params.marketId),
    kind,
    resolution: parseResolution(kind, params.resolution),
    sinceMs,
    untilMs,
    limit: parseLimit(params.limit),
    cursor: params.cursor ?? null,
    format: params.format === undefined ? 'ndjson' : oneOf('format', replayFormats, params.format),
  }
}

/** Both ends inclusive. */
export interface TimeWindow {
  sinceMs: number
  untilMs: number
}

export const parseWindow = ({ since, until }: Pick<ReplayParams, 'since' | 'until'>): TimeWindow =>
  parseTimes({ since: required('since', since), until: required('until', until) })

/** `since` may be derived from `until` if absent. */
export function parseTimes({
  since,
  until,
}: {
  since: string | ((untilMs: number) => number)
  until: string
}): TimeWindow {
  const untilMs = parseTime('until', until)
  const sinceMs = typeof since === 'string' ? parseTime('since', since) : since(untilMs)
  if (untilMs < sinceMs) throw invalid('until must not be before since')
  if (untilMs - sinceMs > replayWindowMaxMs) throw invalid('until must be at most 31 days after since')
  return { sinceMs, untilMs }
}

const invalid = (message: string): Fault => new Fault('VALIDATION_ERROR', message)

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw invalid(`${name} is required`)
  return value
}

/** Dark and unknown venues get the same answer: no such exchange. */
export function parseVenue(text: string | undefined): string {
  const venue = canonicalVenue(required('venue', text))
  if (venue === 'router') throw invalid('venue must be a single venue: router has no tape of its own')
  if (!(servedVenues as readonly string[]).includes(venue)) {
    throw new Fault('EXCHANGE_NOT_AVAILABLE', `exchange ${venue.slice(0, 64)} is not available`)
  }
  return venue
}

export function parseId(name: string, text: string): string {
  if (text === '') throw invalid(`${name} must not be empty`)
  if (text.length > idLengthMax) throw invalid(`${name} must have at most ${idLengthMax} characters`)
  return text
}

function oneOf<T extends string>(name: string, values: readonly T[], text: string): T {
  const value = values.find((candidate) => candidate === text)
  if (value === undefined) throw invalid(`${name} must be one of ${values.join(', ')}`)
  return value
}

function parseResolution(kind: ReplayKind, text: string | undefined): ReplayResolution | undefined {
  if (kind !== 'candles') {
    if (text !== undefined) throw invalid('resolution is only for kind=candles')
    return undefined
  }
  return oneOf('resolution', replayResolutions, required('resolution', text))
}

/** Epoch ms. */
function parseTime(name: string, text: string): number {
  const moment = parseTimestamp(text, timeMax)
  if ('refusal' in moment) throw invalid(`${name} ${moment.refusal}`)
  return moment.ms
}

export function parseLimit(text: string | undefined): number {
  if (text === undefined) return replayRowsDefault
  const limit = parseDecimalNumber(text)
  if (limit === null || !Number.isInteger(limit) || limit < 1 || limit > replayRowsMax)
    throw invalid(`limit must be an integer from 1 to ${replayRowsMax}`)
  return limit
}
