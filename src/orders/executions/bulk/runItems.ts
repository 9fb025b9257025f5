// The items of one request: each runs alone, and its refusal is its own answer.
import { describeFailure, logFailure } from '#core/failure'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import type { ErrorEnvelope } from '#schemas/errors'

/** Of one request, concurrently. */
const runningMax = 4

export type ItemAnswer<Done> = ({ ok: true } & Done) | { ok: false; error: ErrorEnvelope['error'] }

export interface ItemAnswers<Done> {
  /** In the order of the items. */
  answers: ItemAnswer<Done>[]
  /** Refused after work was done for them (`Fault.afterWork`). */
  refusedAfterWork: number
}

/** The key of one item. No header contains a line break, so no caller's own key equals it. */
export const itemKey = (key: string, index: number): string => `${key}\n${index}`

/** Once `signal` aborts, no further item is begun. */
export async function runItems<Item, Done extends object>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Done>,
  { signal, requestId, log }: { signal: AbortSignal; requestId: string; log: Log },
): Promise<ItemAnswers<Done>> {
  const answers: ItemAnswer<Done>[] = []
  let refusedAfterWork = 0
  let next = 0

  const answer = async (index: number): Promise<ItemAnswer<Done>> => {
    try {
      if (signal.aborted) throw new Fault('BAD_REQUEST', 'the client disconnected: not begun', { status: 499 })
      return { ok: true, ...(await work(items[index]!, index)) }
    } catch (error) {
      if (error instanceof Fault && error.afterWork) refusedAfterWork++
      logFailure(log, error, { requestId, item: index })
      return { ok: false, error: describeFailure(error, requestId).error }
    }
  }
  const runner = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++
      answers[index] = await answer(index)
    }
  }
  await Promise.all(Array.from({ length: runningMax }, runner))
  return { answers, refusedAfterWork }
}
