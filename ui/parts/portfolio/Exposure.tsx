// What the positions can pay together: groups of related markets, and where the capital is.
import { useState } from 'preact/hooks'
import type { ExposureGroup, ExposureMeta } from '#schemas/exposure'
import { type Answer, api } from '../../lib/api.ts'
import { format } from '../../lib/format.ts'
import { atLeast, byShare, costWhy, groupTitle, settlementWhy } from '../../lib/portfolio/exposureWords.ts'
import { sourceWords } from '../../lib/portfolio/unknownAmounts.ts'
import { usePaged } from '../../lib/usePaged.ts'
import { RowDetails } from '../SecretOnce.tsx'
import { Unavailable } from '../Unavailable.tsx'
import { LongList } from '../VirtualTable.tsx'
import { Amount } from './Amount.tsx'
import { GroupDetail } from './GroupDetail.tsx'

const everyMs = 60_000
const rowsMax = 50

const columns = [
  { title: 'Group' },
  { title: 'Venues', class: 'wide-only' },
  { title: 'Worst case', class: 'num wide-only' },
  { title: 'Locked profit', class: 'num' },
  { title: 'Capital', class: 'num' },
  { title: 'Settles in', class: 'num wide-only' },
  { title: 'Uncertain', class: 'num wide-only' },
]

/** Next to the rows, in the same answer. */
interface Around extends ExposureMeta {
  unavailable: readonly string[]
}

export function Exposure() {
  const { rows, meta, busy, error, more } = usePaged<ExposureGroup>('exposure', readGroups, { everyMs })
  const [chosen, setChosen] = useState<string | null>(null)
  const current = rows.find((row) => keyOf(row) === chosen)
  const around = meta as Around | null
  return (
    <>
      <Unavailable error={error} what="Exposure" />
      {around !== null && around.unavailable.length > 0 && (
        <ul class="quiet notes" aria-label="What the exposure lacks">
          {around.unavailable.map((source) => (
            <li key={source}>{sourceWords(source)}</li>
          ))}
        </ul>
      )}
      <div class="exposure-list">
        <LongList
          label="Exposure groups"
          columns={columns}
          rows={rows}
          rowHeight={38}
          keyOf={keyOf}
          cells={cellsOf}
          held="exposure"
          isChosen={(row) => keyOf(row) === chosen}
          onChoose={(row) => setChosen(keyOf(row))}
          onEnd={more}
          empty={busy ? null : error === null ? 'No open positions.' : ''}
        />
      </div>
      {current !== undefined && (
        <RowDetails label="Chosen group" of={keyOf(current)}>
          <GroupDetail group={current} />
        </RowDetails>
      )}
      <h3>Capital by venue</h3>
      <Concentration venues={around?.concentration.venues ?? null} />
    </>
  )
}

async function readGroups(cursor: string | undefined, signal: AbortSignal): Promise<Answer<ExposureGroup[]>> {
  const query = { by: 'group', limit: rowsMax, cursor }
  const answer: Answer<ExposureGroup[]> & { unavailable?: readonly string[] } = await api(
    '/v1/portfolio/exposure',
    query,
    signal,
  )
  return { ...answer, meta: { ...answer.meta, unavailable: answer.unavailable ?? [] } }
}

/** A market is in one group of each currency. */
const keyOf = ({ groupId, currency }: ExposureGroup): string => JSON.stringify([groupId, currency])

function cellsOf(row: ExposureGroup) {
  const { venues, worstCase, lockedProfit, capitalUsed, unknownCosts, daysToSettlement, minorRelations, currency } = row
  return [
    groupTitle(row),
    venues.join(', '),
    <Amount key="worst" text={worstCase} bound={atLeast(row)} />,
    <Amount key="locked" text={lockedProfit} bound={atLeast(row)} why={costWhy(unknownCosts)} isGain />,
    <Amount key="capital" text={capitalUsed} unit={currency} why={costWhy(unknownCosts)} />,
    daysToSettlement === null ? (
      <Amount key="days" text={null} why={settlementWhy} />
    ) : (
      `${format.count(daysToSettlement)} d`
    ),
    minorRelations === null ? 'nothing' : format.count(minorRelations.count),
  ]
}

function Concentration({ venues }: { venues: ExposureMeta['concentration']['venues'] | null }) {
  return (
    <div class="list" tabIndex={0} role="region" aria-label="Capital by venue">
      <table>
        <thead>
          <tr>
            <th scope="col">Venue</th>
            <th scope="col">Currency</th>
            <th scope="col" class="num">
              Capital
            </th>
            <th scope="col" class="num">
              Share
            </th>
            <th scope="col">Unknown</th>
          </tr>
        </thead>
        <tbody>
          {byShare(venues ?? []).map(({ venue, currency, capitalUsed, share, unknownCosts }) => (
            <tr key={`${venue} ${currency}`}>
              <th scope="row">{venue}</th>
              <td>{currency ?? <Amount text={null} why="no source names the currency" />}</td>
              <td class="num">
                {unknownCosts > 0 && capitalUsed === '0' ? (
                  <Amount text={null} why={costWhy(unknownCosts)} />
                ) : (
                  <Amount text={capitalUsed} />
                )}
              </td>
              <td class="num">
                {share === null ? (
                  <Amount text={null} why="nothing with a known cost is above zero" />
                ) : (
                  format.percent(share)
                )}
              </td>
              <td>{unknownCosts === 0 ? 'nothing' : costWhy(unknownCosts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {venues === null && <p class="quiet">Loading…</p>}
      {venues?.length === 0 && <p class="quiet">No open positions.</p>}
      <p class="quiet">Share: of the capital used in the same currency.</p>
    </div>
  )
}
