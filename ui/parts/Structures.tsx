import { useMemo, useState } from 'preact/hooks'
import type { z } from 'zod'
import type { StructuresFrame } from '#schemas/streamFrames'
import type { StructureRow } from '#schemas/structures'
import { format } from '../lib/format.ts'
import { structures } from '../lib/stream.ts'
import { useSelected } from '../lib/useSelectedRow.ts'
import { useSurface } from '../lib/useSurface.ts'
import { RowDetails } from './SecretOnce.tsx'
import { SurfaceState } from './SurfaceState.tsx'
import { LongList } from './VirtualTable.tsx'

const columns = [
  { title: 'Kind' },
  { title: 'Legs', class: 'num' },
  { title: 'First leg', class: 'wide-only' },
  { title: 'Edge', class: 'num' },
  { title: 'Return', class: 'num wide-only' },
  { title: 'Capital', class: 'num wide-only' },
  { title: 'Executable' },
]
const idOf = ({ id }: StructureRow): string => id

/** Legs of several markets that together pay more than they cost. */
export function Structures() {
  const surface = useSurface<z.infer<typeof StructuresFrame>>('structures', structures, idOf)
  const [chosen, setChosen] = useState<string | null>(null)
  const rows = useMemo(() => [...surface.rows.values()].toSorted((a, b) => b.edge - a.edge), [surface.rows])
  const shown = useSelected(surface.rows, chosen)
  return (
    <>
      <div class="bar">
        <SurfaceState rows={rows.length} computedAt={surface.computedAt} staleBecause={surface.staleBecause} />
      </div>
      <div class={`structures ${surface.staleBecause === null ? '' : 'is-stale'}`}>
        <LongList
          label="Structures"
          columns={columns}
          rows={rows}
          rowHeight={38}
          keyOf={idOf}
          cells={cellsOf}
          held="structures"
          isChosen={({ id }) => id === chosen}
          onChoose={({ id }) => setChosen(id)}
          empty={surface.seq !== null ? 'No structures right now.' : surface.staleBecause === null ? null : ''}
        />
      </div>
      {shown !== null && (
        <RowDetails label="Chosen structure" of={shown.row.id}>
          <Legs {...shown} />
        </RowDetails>
      )}
    </>
  )
}

const cellsOf = (row: StructureRow) => [
  row.kind,
  format.count(row.legs.length),
  row.legs[0]?.title,
  format.usd(row.edge),
  format.percent(row.roi),
  format.usd(row.capital),
  row.executable ? 'yes' : 'no',
]

function Legs({ row, isGone }: { row: StructureRow; isGone: boolean }) {
  const { legs, contracts, capital, worstPayout, reasons, relations } = row
  return (
    <>
      <h2>
        {format.count(contracts)} of each leg: costs {format.usd(capital)}, pays at least {format.usd(worstPayout)}
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Legs">
        <table>
          <thead>
            <tr>
              <th scope="col">Venue</th>
              <th scope="col">Market</th>
              <th scope="col">Buys</th>
              <th scope="col" class="num">
                Price
              </th>
              <th scope="col" class="num">
                Limit
              </th>
              <th scope="col" class="num">
                Cost
              </th>
              <th scope="col" class="num">
                Fee
              </th>
            </tr>
          </thead>
          <tbody>
            {legs.map((leg) => (
              <tr key={`${leg.market} ${leg.side}`}>
                <td>{leg.venue}</td>
                <td>{leg.title}</td>
                <td>{leg.side}</td>
                <td class="num">{format.price(leg.price)}</td>
                <td class="num">{format.price(leg.limitPrice)}</td>
                <td class="num">{format.usd(leg.cost)}</td>
                <td class="num">{format.usd(leg.fee)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        {isGone && <span class="badge stale">no longer listed; last known values</span>}{' '}
        {reasons.length === 0 ? 'Executable.' : `Not executable: ${reasons.join(', ')}.`} Based on{' '}
        {relations.length === 0 ? 'no relation' : counted(relations.map(wordsOf)).join(', ')}.
      </p>
    </>
  )
}

const wordsOf = ({ kind, band }: StructureRow['relations'][number]): string => `${kind.replaceAll('_', ' ')} (${band})`

/** Each distinct value once, with its count. */
function counted(words: readonly string[]): string[] {
  const times = new Map<string, number>()
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1)
  return [...times].map(([word, n]) => (n === 1 ? word : `${n} × ${word}`))
}
