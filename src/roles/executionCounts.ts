// Executions counted where they are written, by lane and by result. Sent requests are counted by their relay.
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { createExecutionStore } from '#storage/postgres/executions/store'
import type { Metrics } from './metrics.ts'

type Writes = Pick<ReturnType<typeof createExecutionStore>, 'insert' | 'discard' | 'move' | 'resolve'>

/** Gateway, compute role and jobs all write. */
export function countExecutions<S extends Writes>(store: S, metrics: Pick<Metrics, 'tally'>): S {
  const count = metrics.tally('executions', 'Executions that reached a status here', ['lane', 'outcome'])
  const counted = ({ venue, status }: ExecutionRow): void => count({ lane: venue, outcome: status })
  const writes: Writes = {
    async insert(wanted) {
      const result = await store.insert(wanted)
      if (result.kind === 'made') counted(result.row)
      return result
    },
    async discard(move) {
      const result = await store.discard(move)
      if (result.kind === 'discarded') counted(result.row)
      return result
    },
    async move(move, outcome) {
      const row = await store.move(move, outcome)
      // Recording fills alone changes no status.
      if (row !== null && move.from !== move.to) counted(row)
      return row
    },
    async resolve(claim) {
      const result = await store.resolve(claim)
      if (result.kind === 'resolved') counted(result.row)
      return result
    },
  }
  return { ...store, ...writes }
}
