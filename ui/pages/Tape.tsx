// The contents of the tape: a strip of time for each outcome, with its gaps, and a replay of each.
import { useState } from 'preact/hooks'
import type { OutcomeCoverage } from '#schemas/history'
import type { Status } from '#schemas/status'
import { api } from '../lib/api.ts'
import type { Span, Tone } from '../lib/coverageHeatmap.ts'
import { format } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { usePaged } from '../lib/usePaged.ts'
import { Gaps } from '../parts/Gaps.tsx'
import { HeatRow } from '../parts/HeatRow.tsx'
import { ReplayPanel } from '../parts/ReplayPanel.tsx'
import { RowDetails } from '../parts/SecretOnce.tsx'
import { Unavailable } from '../parts/Unavailable.tsx'
import { LongList } from '../parts/VirtualTable.tsx'

const pageRows = 100
const hourMs = 3_600_000
const spans = [
  ['last hour', hourMs],
  ['last 6 hours', 6 * hourMs],
  ['last day', 24 * hourMs],
  ['last week', 168 * hourMs],
] as const
const replayMs = 900_000

const legend: readonly [Tone, string][] = [
  ['whole', 'complete'],
  ['part', 'partly missing'],
  ['lost', 'missing'],
  ['unwatched', 'not watched'],
  ['before', 'before recording'],
  ['unconfirmed', 'not confirmed'],
]
const columns = [
  { title: 'Market' },
  { title: 'Coverage' },
  { title: 'Gaps', class: 'num wide-only' },
  { title: 'Outcome id', class: 'wide-only' },
]

/** Only the id if the catalog does not know the outcome. */
const nameOf = ({ outcomeId, market }: OutcomeCoverage): string =>
  market == null ? outcomeId : `${market.title}: ${market.outcome}`

export function TapePage() {
  const { value: status } = usePolled('status', (signal) => api<Status>('/v1/status', {}, signal), null)
  const venues = status?.data.venues.map(({ venue }) => venue) ?? []
  const [venue, setVenue] = useState<string | null>(null)
  const [spanMs, setSpanMs] = useState<number>(hourMs)
  const chosenVenue = venue ?? venues[0]
  return (
    <>
      <h1>Tape</h1>
      <div class="filters">
        <label>
          Venue
          <select value={chosenVenue} onChange={({ currentTarget }) => setVenue(currentTarget.value)}>
            {venues.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          Period
          <select value={spanMs} onChange={({ currentTarget }) => setSpanMs(Number(currentTarget.value))}>
            {spans.map(([words, ms]) => (
              <option key={ms} value={ms}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      {chosenVenue === undefined ? (
        <p class="quiet">{status === null ? 'Loading…' : 'No venues.'}</p>
      ) : (
        <Coverage key={`${chosenVenue} ${spanMs}`} venue={chosenVenue} spanMs={spanMs} />
      )}
    </>
  )
}

function Coverage({ venue, spanMs }: { venue: string; spanMs: number }) {
  // All pages have the same time window
  const [span] = useState<Span>(() => ({ sinceMs: Date.now() - spanMs, untilMs: Date.now() }))
  const list = usePaged<OutcomeCoverage>(`${venue} ${spanMs}`, (cursor, signal) => {
    const query = { venue, since: span.sinceMs, until: span.untilMs, limit: pageRows, cursor }
    return api('/v1/history/coverage', query, signal)
  })
  const [chosen, setChosen] = useState<OutcomeCoverage | null>(null)
  const mark = list.meta?.completeUntil
  return (
    <>
      <p class="bar legend">
        {legend.map(([tone, words]) => (
          <span key={tone}>
            <i class={`tone ${tone}`} /> {words}
          </span>
        ))}
      </p>
      <p class="quiet" role="status">
        {list.rows.length === 0 && list.busy
          ? 'Loading…'
          : list.rows.length === 0 && list.error !== null
            ? '\u00a0'
            : `${format.count(list.rows.length)} outcomes${list.isWhole ? '' : ' so far'}, from ${format.moment(span.sinceMs)} to ${format.moment(span.untilMs)}. Watermark: ${typeof mark === 'string' ? `everything received by ${format.time(mark)} is on the tape` : 'not reported'}.`}
      </p>
      <Unavailable error={list.error} what="History" />
      <div class="tape">
        <LongList
          label="Coverage"
          columns={columns}
          rows={list.rows}
          rowHeight={34}
          keyOf={({ outcomeId }) => outcomeId}
          cells={(row) => [
            nameOf(row),
            <HeatRow key="heat" outcome={row} span={span} />,
            `${format.count(row.gaps.filter(({ kind }) => kind === 'gap').length)}${row.gapsTruncated ? '+' : ''}`,
            <small key="id">{row.outcomeId}</small>,
          ]}
          isChosen={({ outcomeId }) => outcomeId === chosen?.outcomeId}
          onChoose={(row) => setChosen(row)}
          onEnd={list.more}
          empty={list.error !== null ? '' : list.isWhole ? 'Nothing taped for this venue yet.' : null}
        />
      </div>
      {chosen !== null && <Chosen key={chosen.outcomeId} venue={venue} outcome={chosen} span={span} />}
    </>
  )
}

function Chosen({ venue, outcome, span }: { venue: string; outcome: OutcomeCoverage; span: Span }) {
  const { outcomeId, market, mechanism, tapeSince, depthSince, completeUntil, gaps, gapsTruncated } = outcome
  const untilMs = Math.min(span.untilMs, completeUntil === null ? span.untilMs : Date.parse(completeUntil))
  const sinceMs = Math.max(Date.parse(tapeSince), span.sinceMs, untilMs - replayMs)
  return (
    <RowDetails label="Chosen outcome" of={outcomeId}>
      <h2>{nameOf(outcome)}</h2>
      <dl class="facts">
        <dt>Outcome</dt>
        <dd>{market == null ? outcomeId : <a href={hashOf('market', venue, market.marketId)}>{outcomeId}</a>}</dd>
        <dt>Recorded by</dt>
        <dd>{mechanism}</dd>
        <dt>Books since</dt>
        <dd>{format.moment(tapeSince)}</dd>
        <dt>Full depth since</dt>
        <dd>{depthSince === null ? 'not taped' : format.moment(depthSince)}</dd>
      </dl>
      <h3>Gaps in this period{gapsTruncated && ' (newest only)'}</h3>
      <Gaps label="Gaps" gaps={gaps} />
      <ReplayPanel venue={venue} outcomeId={outcomeId} sinceMs={sinceMs} untilMs={untilMs} />
    </RowDetails>
  )
}
