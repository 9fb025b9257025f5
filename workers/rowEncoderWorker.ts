// Encodes pages of history on a thread of its own, to keep the gateway's free for its sockets.

import { Fault } from '#core/fault'
import type { LinesReply, RowEncoderWorker } from '#history/lines/rowEncoderWorker'
import { workerFile } from './pool.ts'
import type { EncodedRows, LinesMessage } from './rowEncoderTask.ts'
import { RpcWorker } from './rpcWorker.ts'

export interface HistoryEncoder extends RowEncoderWorker {
  stop(): Promise<void>
}

/** `filename`: another worker file, for tests. The first page starts the thread: not every process serves history. */
export function startHistoryEncoder({ filename }: { filename?: string } = {}): HistoryEncoder {
  let thread: RpcWorker<LinesMessage, EncodedRows> | undefined
  let stopped = false

  async function send(message: LinesMessage, given: readonly ArrayBuffer[]): Promise<LinesReply> {
    if (stopped) throw new Error('the history encoder was stopped')
    thread ??= new RpcWorker('the history encoder', filename ?? workerFile('rowEncoderTask'))
    const reply = await thread.ask(message, given)
    if (reply.kind === 'dropped') throw new Error('the history encoder replied out of order')
    return reply
  }

  return {
    async write(request) {
      try {
        return await send({ kind: 'write', ...request }, [request.bytes.buffer])
      } catch (cause) {
        throw new Fault('HISTORY_UNAVAILABLE', 'history is not available right now: try again', { cause })
      }
    },
    drop(page) {
      // A thread that ended has dropped the page, too.
      thread?.ask({ kind: 'drop', page }).catch(() => undefined)
    },
    async stop() {
      stopped = true
      await thread?.stop()
    },
  }
}
