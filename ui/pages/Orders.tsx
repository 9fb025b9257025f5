// The account's orders: executions, conditional orders, webhook deliveries, and the switch that halts all trading.
import { useEffect, useState } from 'preact/hooks'
import type { ConditionalOrder } from '#schemas/conditional'
import type { Execution, Fill, Summary } from '#schemas/executions'
import { api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { hashOf } from '../lib/router.ts'
import { orders } from '../lib/stream.ts'
import { type Change, eventMoments, momentsOf } from '../lib/timeline.ts'
import { useScrollIntoView } from '../lib/useScrollIntoView.ts'
import { Webhooks } from '../parts/Deliveries.tsx'
import { Failure } from '../parts/ErrorMessage.tsx'
import { HaltPanel } from '../parts/Halt.tsx'
import { Timeline } from '../parts/Timeline.tsx'
import { Unavailable } from '../parts/Unavailable.tsx'
import { LongList } from '../parts/VirtualTable.tsx'

const everyMs = 5_000
const rowsMax = 200
const changesMax = 1_000

const executionColumns = [
  { title: 'Venue' },
  { title: 'Intent' },
  { title: 'Status' },
  { title: 'Notional', class: 'num wide-only' },
  { title: 'Built', class: 'wide-only' },
  { title: 'Changed', class: 'wide-only' },
]
const conditionalColumns = [
  { title: 'Venue' },
  { title: 'Trigger' },
  { title: 'Status' },
  { title: 'Price', class: 'num wide-only' },
  { title: 'Armed', class: 'wide-only' },
  { title: 'Expires', class: 'wide-only' },
]

export function OrdersPage() {
  const changes = useChanges()
  return (
    <>
      <h1>Orders</h1>
      <HaltPanel />
      <Executions changes={changes} />
      <Conditionals />
      <Webhooks />
    </>
  )
}

/** Changes from the stream since the page was opened. */
function useChanges(): readonly Change[] {
  const [changes, setChanges] = useState<readonly Change[]>([])
  useEffect(
    () =>
      orders((frame) => {
        if (frame?.type !== 'orders' || frame.data.kind !== 'execution') return
        const { data } = frame
        setChanges((before) => [...before, data].slice(-changesMax))
      }),
    [],
  )
  return changes
}

function Executions({ changes }: { changes: readonly Change[] }) {
  // A change triggers a read at once.
  const { value, error } = usePolled(
    `executions ${changes.length}`,
    (signal) => api<Execution[]>('/v1/exec/executions', { limit: rowsMax }, signal),
    everyMs,
  )
  const [kept, setKept] = useState<readonly Execution[] | null>(null)
  useEffect(() => {
    if (value !== null) setKept(value.data)
  }, [value])
  const [chosen, setChosen] = useState<Execution | null>(null)
  const current = kept?.find(({ executionId }) => executionId === chosen?.executionId) ?? chosen
  return (
    <section class="card orders" aria-label="Executions">
      <h2>Executions</h2>
      <Failure error={error} />
      <LongList
        label="Executions"
        columns={executionColumns}
        rows={kept ?? []}
        rowHeight={34}
        keyOf={({ executionId }) => executionId}
        cells={(row) => [
          row.venue,
          row.intent,
          row.status,
          format.usd(row.notionalUsd),
          moment(row.createdAt),
          moment(row.updatedAt),
        ]}
        held="executions"
        isChosen={({ executionId }) => executionId === current?.executionId}
        onChoose={(row) => setChosen(row)}
        empty={kept !== null ? 'No executions yet.' : error === null ? null : ''}
      />
      {kept?.length === rowsMax && <p class="quiet">Only the newest {rowsMax} are shown.</p>}
      {current !== null && <ExecutionDetail key={current.executionId} execution={current} changes={changes} />}
    </section>
  )
}

function ExecutionDetail({ execution, changes }: { execution: Execution; changes: readonly Change[] }) {
  const { executionId, venue, updatedAt, error } = execution
  const { value: read } = usePolled(
    `execution ${executionId} ${updatedAt}`,
    (signal) => api<Execution>(`/v1/exec/executions/${encodeURIComponent(executionId)}`, {}, signal),
    null,
  )
  const { value: fills, error: noFills } = usePolled(
    `fills ${executionId} ${updatedAt}`,
    (signal) => fillsOf(venue, signal),
    null,
  )
  const summary = read?.data.summary ?? null
  return (
    <div class="detail" ref={useScrollIntoView<HTMLDivElement>(executionId)}>
      <h3>{executionId}</h3>
      {summary !== null && <p>{summaryWords(summary)}</p>}
      {error !== null && <p class="bad">{error}</p>}
      <Failure error={noFills} />
      <Timeline moments={momentsOf(execution, changes, fills?.rows ?? [])} />
      {fills?.hasMore && <p class="quiet">The venue has later fills that are not shown.</p>}
    </div>
  )
}

const fillPagesMax = 5

/** The venue's fills are listed oldest first. */
async function fillsOf(venue: string, signal: AbortSignal): Promise<{ rows: Fill[]; hasMore: boolean }> {
  const rows: Fill[] = []
  let cursor: string | undefined
  for (let page = 0; page < fillPagesMax; page++) {
    const path = `/v1/exec/${encodeURIComponent(venue)}/trades`
    const answer = await api<Fill[]>(path, { limit: rowsMax, cursor }, signal)
    rows.push(...answer.data)
    cursor = answer.nextCursor ?? undefined
    if (cursor === undefined) break
  }
  return { rows, hasMore: cursor !== undefined }
}

function summaryWords(summary: Summary): string {
  const { intent, side, size, price, currency, outcome, costMax, expiresAt } = summary
  const what = outcome === null ? unknown : `${outcome.label ?? outcome.side ?? outcome.instrument}`
  const where = outcome?.market ?? outcome?.marketId ?? ''
  const cost = costMax === null ? '' : `, at most ${costMax} ${currency ?? ''}`
  const until = expiresAt === null ? '' : `, until ${moment(expiresAt)}`
  const words = [side ?? intent, size, what, price === null ? null : `at ${price}`].filter((word) => word !== null)
  return `${words.join(' ')}${cost}${until}. ${where}`
}

function Conditionals() {
  const { value, error } = usePolled(
    'conditionals',
    (signal) => api<ConditionalOrder[]>('/v1/exec/conditional', { limit: rowsMax }, signal),
    everyMs,
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const current = value?.data.find(({ id }) => id === chosen)
  return (
    <section class="card orders" aria-label="Conditional orders">
      <h2>Conditional orders</h2>
      <Unavailable error={error} what="Conditional orders" variable="CROSSBOOK_CONDITIONAL" />
      <LongList
        label="Conditional orders"
        columns={conditionalColumns}
        rows={value?.data ?? []}
        rowHeight={34}
        keyOf={({ id }) => id}
        cells={(row) => [
          row.venue,
          signOf(row.trigger),
          row.status,
          levelOf(row.trigger),
          moment(row.createdAt),
          moment(row.expiresAt),
        ]}
        held="conditional orders"
        isChosen={({ id }) => id === chosen}
        onChoose={({ id }) => setChosen(id)}
        empty={value !== null ? 'No conditional orders yet.' : error === null ? null : ''}
      />
      {current !== undefined && (
        <ConditionalDetail key={current.id} order={current} group={groupOf(current, value?.data ?? [])} />
      )}
    </section>
  )
}

/** The other orders of its group, of which only one fires. */
const groupOf = (order: ConditionalOrder, all: readonly ConditionalOrder[]): readonly ConditionalOrder[] =>
  order.ocoGroupId === null
    ? []
    : all.filter(({ id, ocoGroupId }) => ocoGroupId === order.ocoGroupId && id !== order.id)

function ConditionalDetail({ order, group }: { order: ConditionalOrder; group: readonly ConditionalOrder[] }) {
  const { id, venue, updatedAt, trigger, lastError, marketId, fireMode } = order
  const { value, error } = usePolled(
    `conditional ${id} ${updatedAt}`,
    (signal) => api<ConditionalOrder>(`/v1/exec/conditional/${encodeURIComponent(id)}`, {}, signal),
    null,
  )
  return (
    <div class="detail" ref={useScrollIntoView<HTMLDivElement>(id)}>
      <h3>{id}</h3>
      <p>
        <a href={hashOf('market', venue, marketId)}>{marketId}</a>: {conditionOf(trigger)}.{' '}
        {fireMode === 'hosted'
          ? 'Sent from here when it triggers.'
          : 'You are notified when it triggers and submit it yourself.'}
      </p>
      {group.length > 0 && (
        <p>
          One of a group; the first to fire ends the others:{' '}
          {group.map(({ trigger: other, status }) => `${signOf(other)} ${levelOf(other)} (${status})`).join(', ')}.
        </p>
      )}
      {lastError !== null && <p class="bad">{lastError}</p>}
      <Failure error={error} />
      <Timeline moments={eventMoments(value?.data.events ?? [])} />
    </div>
  )
}

type Trigger = ConditionalOrder['trigger']

function conditionOf(trigger: Trigger): string {
  const { at, when, reference, confirmations, dwellMs } = trigger
  if (at !== undefined) return `triggers at the first live book from ${moment(at)} on`
  const samples = `${format.count(confirmations)} consecutive ${confirmations === 1 ? 'sample' : 'samples'}`
  const side = when === 'at_or_above' ? 'at or above' : 'at or below'
  return `triggers when the ${reference} is ${side} ${levelOf(trigger)} in ${samples} over at least ${format.span(dwellMs)}`
}

function levelOf({ at, trail, price, when }: Trigger): string {
  if (at !== undefined) return moment(at)
  if (trail === undefined) return format.price(price ?? null)
  const distance = trail.by === 'percent' ? `${trail.distance} %` : format.price(trail.distance)
  return `best ${when === 'at_or_above' ? '+' : '−'} ${distance}`
}

const signOf = ({ at, when }: Trigger): string => (when === 'at_or_above' || at !== undefined ? '≥' : '≤')

const moment = (at: string): string => `${format.date(at)}, ${format.time(at)}`
