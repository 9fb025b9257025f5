// Files of the portfolio: the statement of a month, positions and fills as tables.
import { useState } from 'preact/hooks'
import { ApiError, apiFile } from '../../lib/api.ts'
import { format } from '../../lib/format.ts'
import { readTable, saveFiles, type TableFormat } from '../../lib/portfolio/tableFile.ts'
import { headerNotes } from '../../lib/portfolio/tableText.ts'
import { missingLines, type PortfolioFields } from '../../lib/portfolio/unknownAmounts.ts'
import { Failure } from '../ErrorMessage.tsx'

const tables = {
  'open positions': { path: '/v1/portfolio/positions', query: { status: 'open', limit: 500 } },
  'all positions': { path: '/v1/portfolio/positions', query: { status: 'all', limit: 500 } },
  fills: { path: '/v1/portfolio/fills', query: { limit: 1_000 } },
} as const
type TableName = keyof typeof tables

interface Result {
  names: readonly string[]
  notes: readonly string[]
}

export function Downloads() {
  const today = new Date().toISOString().slice(0, 10)
  const [month, setMonth] = useState(today.slice(0, 7))
  const [statementFormat, setStatementFormat] = useState<'csv' | 'json'>('csv')
  const [table, setTable] = useState<TableName>('open positions')
  const [tableFormat, setTableFormat] = useState<TableFormat>('csv')
  const [isBusy, setIsBusy] = useState(false)
  const [result, setResult] = useState<Result | null>(null)
  const [refused, setRefused] = useState<ApiError | null>(null)
  const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(month)

  const run = async (read: () => Promise<Result>): Promise<void> => {
    setIsBusy(true)
    setResult(null)
    setRefused(null)
    try {
      setResult(await read())
    } catch (failure) {
      setRefused(failure instanceof ApiError ? failure : new ApiError('NETWORK', 'the server cannot be reached'))
    } finally {
      setIsBusy(false)
    }
  }
  const saveStatement = () => run(() => downloadStatement(month, statementFormat))
  const saveTable = () => run(() => downloadTable(table, tableFormat, today))

  return (
    <>
      <div class="filters">
        <label>
          Month (UTC)
          <input
            type="month"
            value={month}
            max={today.slice(0, 7)}
            placeholder="2026-11"
            onInput={({ currentTarget }) => setMonth(currentTarget.value)}
          />
        </label>
        <label>
          Statement as
          <select
            value={statementFormat}
            onChange={({ currentTarget }) => setStatementFormat(currentTarget.value as 'csv' | 'json')}
          >
            <option value="csv">CSV</option>
            <option value="json">JSON</option>
          </select>
        </label>
        <button type="button" disabled={isBusy || !isMonth} onClick={() => void saveStatement()}>
          Download statement
        </button>
      </div>
      <div class="filters">
        <label>
          Content
          <select value={table} onChange={({ currentTarget }) => setTable(currentTarget.value as TableName)}>
            {Object.keys(tables).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Table as
          <select
            value={tableFormat}
            onChange={({ currentTarget }) => setTableFormat(currentTarget.value as TableFormat)}
          >
            <option value="csv">CSV</option>
            <option value="parquet">Parquet</option>
          </select>
        </label>
        <button type="button" disabled={isBusy} onClick={() => void saveTable()}>
          Export
        </button>
      </div>
      <Failure error={refused} />
      <div role="status">
        {isBusy && <p class="quiet">Reading…</p>}
        {result !== null && (
          <>
            <p>Saved {result.names.join(', ')}.</p>
            {result.notes.length > 0 && (
              <ul class="quiet notes">
                {result.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      <p class="quiet">
        Amounts in files have all their digits. An empty field of a CSV file is unknown. A table of more than{' '}
        {format.count(tables.fills.query.limit)} fills or {format.count(tables['all positions'].query.limit)} positions
        is several files in Parquet.
      </p>
    </>
  )
}

async function downloadStatement(month: string, as: 'csv' | 'json'): Promise<Result> {
  const { body, headers } = await apiFile(`/v1/portfolio/statements/${month}`, { format: as })
  const name = `crossbook-statement-${month}.${as}`
  saveFiles([{ name, body }])
  if (as === 'csv') return { names: [name], notes: headerNotes(headers) }
  const { unavailable, gaps } = JSON.parse(await body.text()) as PortfolioFields
  return { names: [name], notes: missingLines(unavailable, gaps) }
}

async function downloadTable(table: TableName, as: TableFormat, day: string): Promise<Result> {
  const { path, query } = tables[table]
  const name = `crossbook-${table.replaceAll(' ', '-')}-${day}`
  const { files, notes } = await readTable({ path, query, format: as, name })
  saveFiles(files)
  return { names: files.map((file) => file.name), notes }
}
