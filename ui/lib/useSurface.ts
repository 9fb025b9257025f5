import { useEffect, useState } from 'preact/hooks'
import type { Frame } from './frame.ts'
import { applyFrame, emptySurface, type Surface } from './surface.ts'

type SurfaceFrame = Extract<Frame, { type: 'arbitrage' | 'structures' }>
type RowOf<F extends SurfaceFrame> = NonNullable<F['data']['rows']>[number]

export interface LiveSurface<Row> extends Surface<Row> {
  /** Why the rows are stale or unavailable; null: they are live. */
  staleBecause: string | null
}

const lost = 'the connection to the stream is lost'

/** Rows of a surface from the stream. */
export function useSurface<F extends SurfaceFrame>(
  type: F['type'],
  subscribe: (listener: (frame: Frame | null) => void) => () => void,
  idOf: (row: RowOf<F>) => string,
): LiveSurface<RowOf<F>> {
  const [surface, setSurface] = useState<LiveSurface<RowOf<F>>>({ ...emptySurface(), staleBecause: null })
  useEffect(
    () =>
      subscribe((frame) => {
        if (frame === null) setSurface((before) => ({ ...before, seq: null, coming: null, staleBecause: lost }))
        else if (frame.type === 'error') setSurface((before) => ({ ...before, staleBecause: frame.message }))
        else if (frame.type === type)
          setSurface((before) => {
            const next = applyFrame<RowOf<F>>(before, (frame as F).data, idOf)
            return { ...next, staleBecause: next.seq === null ? before.staleBecause : null }
          })
      }),
    [type, subscribe, idOf],
  )
  return surface
}
