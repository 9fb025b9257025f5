// Status of the venues: connection, lag, stale books, catalog, gaps of the tape; and of the matching of their markets.
import type { OutcomeCoverage } from '#schemas/history'
import type { Status, VenueStatus } from '#schemas/status'
import { api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { gapsOf } from '../lib/gaps.ts'
import { usePolled } from '../lib/hooks.ts'
import { catalogInWords, type JobWords, matcherInWords } from '../lib/jobWords.ts'
import { Failure } from '../parts/ErrorMessage.tsx'

const everyMs = 2_000
const gapsEveryMs = 60_000
const outcomesMax = 100

const tone: Readonly<Record<VenueStatus['connection'], string>> = {
  connected: 'good',
  polling: 'good',
  connecting: 'warn',
  degraded: 'warn',
  idle: 'quiet',
  unreachable: 'bad',
}

export function StatusPage() {
  const { value, error } = usePolled('status', (signal) => api<Status>('/v1/status', {}, signal), everyMs)
  const venues = value?.data.venues
  const nowMs = Date.parse(value?.asOf ?? '')
  return (
    <>
      <h1>Status</h1>
      <Failure error={error} isOverlay={value !== null} />
      <div class={`scroll ${error === null ? '' : 'outdated'}`} tabIndex={0} role="region" aria-label="Venues">
        <table>
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col">Connection</th>
              <th scope="col">Catalog</th>
              <th scope="col" class="num">
                Last message
              </th>
              <th scope="col" class="num">
                Lag
              </th>
              <th scope="col" class="num">
                Books
              </th>
              <th scope="col" class="num">
                Stale
              </th>
              <th scope="col" class="num">
                Oldest proof
              </th>
              <th scope="col" class="num gaps">
                Gaps, 24 h
              </th>
              <th scope="col" class="num">
                Sockets
              </th>
            </tr>
          </thead>
          <tbody>
            {venues?.map((venue) => (
              <VenueRow key={venue.venue} venue={venue} nowMs={nowMs} />
            ))}
            {venues === undefined && (
              <tr>
                <td colSpan={10}>{error === null ? 'Loading…' : unknown}</td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {value !== null && (
        <p>
          Matching of markets across venues: <Job {...matcherInWords(value.data.matcher, nowMs)} />
          {value.data.matcher.reason !== null && <small>: {value.data.matcher.reason}</small>}
        </p>
      )}
      <p class="quiet">
        Lag: from the venue’s timestamp to receipt here. Oldest proof: how long ago the least recently proven live book
        was proven, and the limit. Gaps: on the tape, over at most {outcomesMax} outcomes per venue. Catalog: whether
        the venue’s list of markets could be read whole, and when it was last read.
      </p>
    </>
  )
}

function VenueRow({ venue, nowMs }: { venue: VenueStatus; nowMs: number }) {
  const age = venue.lastMessageAt === null ? null : Math.max(0, nowMs - Date.parse(venue.lastMessageAt))
  return (
    <tr>
      <th scope="row">{venue.venue}</th>
      <td class="reason">
        <span class={`badge ${tone[venue.connection]}`}>{venue.connection}</span>
        {venue.reason !== null && <small> {venue.reason}</small>}
      </td>
      <td>
        <Job {...catalogInWords(venue.catalog, nowMs)} />
      </td>
      <td class="num">{age === null ? unknown : `${format.span(age)} ago`}</td>
      <td class="num">{format.span(venue.lagMs)}</td>
      <td class="num">{format.count(venue.watchedBooks)}</td>
      <td class={`num ${venue.staleBooks > 0 ? 'stale' : ''}`}>{format.count(venue.staleBooks)}</td>
      <td class="num">
        {format.span(venue.oldestProofMs)} <small>of {format.span(venue.provenWithinMs)}</small>
      </td>
      <td class="num">
        <Gaps venue={venue.venue} />
      </td>
      <td class="num">{format.count(venue.sockets)}</td>
    </tr>
  )
}

function Job({ tone, words, age }: JobWords) {
  return (
    <>
      <span class={`badge ${tone}`}>{words}</span>
      {age !== null && <small> {age}</small>}
    </>
  )
}

function Gaps({ venue }: { venue: string }) {
  const { value } = usePolled(
    `gaps ${venue}`,
    (signal) => api<OutcomeCoverage[]>('/v1/history/coverage', { venue, limit: outcomesMax }, signal),
    gapsEveryMs,
  )
  if (value === null || value.data.length === 0) return <>{unknown}</>
  const { gaps, isAtLeast } = gapsOf(value.data)
  const outcomes = `${format.count(value.data.length)}${value.nextCursor === undefined ? '' : '+'}`
  return (
    <>
      {format.count(gaps)}
      {isAtLeast && '+'} <small>in {outcomes} outcomes</small>
    </>
  )
}
