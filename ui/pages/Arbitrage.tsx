// The live surface: pairs of two venues, and structures of several markets.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { z } from 'zod'
import type { ArbitrageRow } from '#schemas/arbitrage'
import type { ArbitrageFrame } from '#schemas/streamFrames'
import { format } from '../lib/format.ts'
import { arbitrage } from '../lib/stream.ts'
import { byEdge } from '../lib/surface.ts'
import { useSelected } from '../lib/useSelectedRow.ts'
import { useSurface } from '../lib/useSurface.ts'
import { EdgeHistory, type Point } from '../parts/EdgeHistory.tsx'
import { RowDetails } from '../parts/SecretOnce.tsx'
import { Structures } from '../parts/Structures.tsx'
import { SurfaceState } from '../parts/SurfaceState.tsx'
import { LongList } from '../parts/VirtualTable.tsx'

type Row = z.infer<typeof ArbitrageRow>
type Frame = z.infer<typeof ArbitrageFrame>

const columns = [
  { title: 'Question' },
  { title: 'Buy YES, NO at', class: 'wide-only' },
  { title: 'Edge', class: 'num' },
  { title: 'Return', class: 'num wide-only' },
  { title: 'Cost', class: 'num wide-only' },
  { title: 'Match', class: 'wide-only' },
  { title: 'Executable' },
]
const idOf = ({ clusterId }: Row): string => clusterId

export function ArbitragePage() {
  const [view, setView] = useState<'pairs' | 'structures'>('pairs')
  return (
    <>
      <h1>Arbitrage</h1>
      <fieldset class="bar">
        <legend>Show</legend>
        <button type="button" aria-pressed={view === 'pairs'} onClick={() => setView('pairs')}>
          pairs
        </button>
        <button type="button" aria-pressed={view === 'structures'} onClick={() => setView('structures')}>
          structures
        </button>
      </fieldset>
      {view === 'pairs' ? <Pairs /> : <Structures />}
    </>
  )
}

function Pairs() {
  const surface = useSurface<Frame>('arbitrage', arbitrage, idOf)
  const [executableOnly, setExecutableOnly] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const rows = useMemo(
    () => [...surface.rows.values()].filter(({ executable }) => executable || !executableOnly).toSorted(byEdge),
    [surface.rows, executableOnly],
  )
  const shown = useSelected(surface.rows, chosen)
  const points = usePoints(chosen, shown?.isGone === false ? shown.row : undefined, surface.computedAt)
  return (
    <>
      <div class="bar">
        <label class="check">
          <input
            type="checkbox"
            checked={executableOnly}
            onChange={({ currentTarget }) => setExecutableOnly(currentTarget.checked)}
          />{' '}
          executable only
        </label>
        <SurfaceState rows={rows.length} computedAt={surface.computedAt} staleBecause={surface.staleBecause} />
      </div>
      <div class={`arbitrage ${surface.staleBecause === null ? '' : 'is-stale'}`}>
        <LongList
          label="Arbitrage"
          columns={columns}
          rows={rows}
          rowHeight={38}
          keyOf={idOf}
          cells={cellsOf}
          held={executableOnly ? 'executable' : 'all'}
          isChosen={({ clusterId }) => clusterId === chosen}
          onChoose={({ clusterId }) => setChosen(clusterId)}
          empty={surface.seq !== null ? 'No rows right now.' : surface.staleBecause === null ? null : ''}
        />
      </div>
      {shown !== null && (
        <RowDetails label="Chosen row" of={shown.row.clusterId}>
          <Detail {...shown} />
          <EdgeHistory clusterId={shown.row.clusterId} points={points} />
        </RowDetails>
      )}
    </>
  )
}

function cellsOf(row: Row) {
  const { buyYes, buyNo } = row.legs
  return [
    row.question,
    `${buyYes.venue}, ${buyNo.venue}`,
    <span key="edge" class={tone(row.netEdge)}>
      {format.usd(row.netEdge)}
    </span>,
    format.percent(row.roi),
    format.usd(row.totalCost),
    row.matchBand,
    row.executable ? 'yes' : 'no',
  ]
}

const tone = (edge: number | null): string => (edge === null ? '' : edge > 0 ? 'good' : edge < 0 ? 'bad' : '')

function Detail({ row, isGone }: { row: Row; isGone: boolean }) {
  const { question, contracts, legs, netEdge, reasons, resolution, matchScore, matchDifferences, settlementFee } = row
  return (
    <>
      <h2>{question}</h2>
      <p class="bar">
        {isGone ? (
          <span class="badge stale">no longer listed; last known values</span>
        ) : (
          <span class={`badge ${row.executable ? 'good' : ''}`}>{row.label}</span>
        )}
      </p>
      <p>
        {format.count(contracts)} contracts cost {format.usd(row.totalCost)} and pay {format.usd(row.payout)}: edge{' '}
        <b class={tone(netEdge)}>{format.usd(netEdge)}</b>, settlement fee {format.usd(settlementFee)}.
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Legs">
        <table>
          <thead>
            <tr>
              <th scope="col">Leg</th>
              <th scope="col">Buys</th>
              <th scope="col" class="num">
                Average price
              </th>
              <th scope="col" class="num">
                Filled
              </th>
              <th scope="col" class="num">
                Cost
              </th>
              <th scope="col" class="num">
                Fee
              </th>
              <th scope="col">Not executable because</th>
            </tr>
          </thead>
          <tbody>
            <LegRow name="YES" leg={legs.buyYes} />
            <LegRow name="NO" leg={legs.buyNo} />
          </tbody>
        </table>
      </div>
      <dl class="facts">
        <dt>Executable</dt>
        <dd>{reasons.length === 0 ? 'yes' : `no: ${reasons.join(', ')}`}</dd>
        <dt>Resolution</dt>
        <dd>
          {row.resolutionEquivalence}: {resolution.reason ?? 'not reviewed'}
          {resolution.auditReasons.length > 0 && <small> ({resolution.auditReasons.join('; ')})</small>}
        </dd>
        <dt>Match</dt>
        <dd>
          {row.matchBand}, score {format.count(matchScore)} of 100
        </dd>
        {matchDifferences.map(({ kind, detail, points }) => (
          <>
            <dt>{kind}</dt>
            <dd>
              {detail} <small>({format.count(points)} points)</small>
            </dd>
          </>
        ))}
      </dl>
    </>
  )
}

function LegRow({ name, leg }: { name: string; leg: Row['legs']['buyYes'] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {leg.venue} {leg.side} {leg.note !== undefined && <small>({leg.note})</small>}
      </td>
      <td class="num">{format.price(leg.vwap)}</td>
      <td class="num">{format.count(leg.filled)}</td>
      <td class="num">{format.usd(leg.cost)}</td>
      <td class="num" title={leg.feeBasis}>
        {format.usd(leg.fee)}
      </td>
      <td>{leg.reasons.join(', ')}</td>
    </tr>
  )
}

/** Enough for a line. */
const pointsMax = 2_000

/** The selected row's edge since it was selected: one point a second, the last one. */
function usePoints(chosen: string | null, row: Row | undefined, computedAt: string | null): readonly Point[] {
  const [points, setPoints] = useState<readonly Point[]>([])
  // A newly selected row starts a new line.
  useEffect(() => setPoints([]), [chosen])
  const edge = row?.netEdge ?? null
  useEffect(() => {
    if (edge === null || computedAt === null) return
    const at = Math.floor(Date.parse(computedAt) / 1_000) * 1_000
    setPoints((before) => [...before.filter((point) => point.at < at), { at, value: edge }].slice(-pointsMax))
  }, [edge, computedAt])
  return points
}
