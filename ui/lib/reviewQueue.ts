// Which template pair the review shows: the chosen one, else the first that was neither decided nor skipped on this page.

export interface ReviewQueue {
  chosen: string | null
  /** Keys that were decided or skipped here. */
  passed: readonly string[]
  /** Keys that were decided here, the last one last. */
  decided: readonly string[]
}

export const startOf = (chosen: string | null): ReviewQueue => ({ chosen, passed: [], decided: [] })

/** Null: none is left. */
export const currentKey = ({ chosen, passed }: ReviewQueue, keys: readonly string[]): string | null =>
  chosen ?? keys.find((key) => !passed.includes(key)) ?? null

export const choose = (queue: ReviewQueue, key: string): ReviewQueue => ({ ...queue, chosen: key })

export const skip = (queue: ReviewQueue, key: string): ReviewQueue => ({
  ...queue,
  chosen: null,
  passed: [...queue.passed, key],
})

export const recordDecision = (queue: ReviewQueue, key: string): ReviewQueue => ({
  ...skip(queue, key),
  decided: [...queue.decided, key],
})

/** The last decision is withdrawn, and its pair shown again. */
export function undoLast(queue: ReviewQueue): ReviewQueue {
  const last = queue.decided.at(-1)
  if (last === undefined) return queue
  return {
    chosen: last,
    passed: queue.passed.filter((key) => key !== last),
    decided: queue.decided.slice(0, -1),
  }
}

/** Those that were skipped come again. */
export const showSkipped = (queue: ReviewQueue): ReviewQueue => ({ ...queue, chosen: null, passed: queue.decided })
