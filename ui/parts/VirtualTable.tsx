// A table of any length that draws only the visible rows. All rows have the same height.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { usePinned, usePointed } from '../lib/usePinned.ts'
import { shownRows } from '../lib/window.ts'

interface Options<Row> {
  label: string
  columns: readonly { title: string; class?: string }[]
  rows: readonly Row[]
  rowHeight: number
  keyOf(row: Row): string
  cells(row: Row): readonly ComponentChildren[]
  isChosen?(row: Row): boolean
  onChoose?(row: Row): void
  /** Called when the last rows come into view. */
  onEnd?(): void
  /** Text for an empty table; null: still loading; empty: the page shows the reason elsewhere. */
  empty?: string | null
  /** Identifies the list if its order changes by itself: rows stay in place while the pointer or the focus is on them. */
  held?: string
}

export function LongList<Row>({
  label,
  columns,
  rows: current,
  rowHeight,
  keyOf,
  cells,
  isChosen,
  onChoose,
  onEnd,
  empty = null,
  held,
}: Options<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const isPointed = usePointed(scroller)
  const { rows, gone } = usePinned(current, keyOf, held ?? null, isPointed)
  const [view, setView] = useState({ top: 0, height: 600 })
  useEffect(() => {
    const { current } = scroller
    if (current === null) return
    const look = () => setView({ top: current.scrollTop, height: current.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(current)
    current.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [])
  const { from, to } = shownRows(rows.length, rowHeight, view.top, view.height)
  const isAtEnd = to === rows.length
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd])

  return (
    <div class="listed">
      <div class="long" role="table" aria-label={label} aria-rowcount={rows.length + 1} ref={scroller} tabIndex={0}>
        <div class="row head" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column.title} role="columnheader" class={column.class}>
              {column.title}
            </span>
          ))}
        </div>
        <div class="rows" role="rowgroup" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(from, to).map((row, i) => (
            <div
              key={keyOf(row)}
              class={`row ${isChosen?.(row) ? 'chosen' : ''} ${gone.has(keyOf(row)) ? 'gone' : ''}`}
              role="row"
              aria-rowindex={from + i + 2}
              style={{ transform: `translateY(${(from + i) * rowHeight}px)`, height: `${rowHeight}px` }}
            >
              {cells(row).map((cell, at) => (
                <span key={columns[at]?.title} role="cell" class={columns[at]?.class}>
                  {at === 0 && onChoose !== undefined ? (
                    <button type="button" class="choose" disabled={gone.has(keyOf(row))} onClick={() => onChoose(row)}>
                      {cell}
                    </button>
                  ) : (
                    cell
                  )}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
      {held !== undefined && isPointed && rows.length > 0 && <small class="held">order held while you are here</small>}
      <p class="empty quiet" role="status">
        {rows.length === 0 && (empty ?? 'Loading…')}
      </p>
    </div>
  )
}
