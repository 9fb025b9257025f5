// Pages of history are written on a thread of their own, so that the gateway's is not kept from its sockets.
import type { LinesReply, LinesThread } from '#history/lines/linesThread'
import { Fault } from '#lib/fault'
import { AskedThread } from './askedThread.ts'
import { workerFile } from './pool.ts'
import type { LinesAnswer, LinesMessage } from './writeLines.ts'

export interface StoppableLines extends LinesThread {
  stop(): Promise<void>
}

/** `filename`: another worker file, for tests. The thread is started by the first page. */
export function startLinesThread({ filename }: { filename?: string } = {}): StoppableLines {
  const thread = new AskedThread<LinesMessage, LinesAnswer>(
    'the writer of history',
    filename ?? workerFile('writeLines'),
  )
  return {
    async write(request): Promise<LinesReply> {
      const reply = await thread.ask({ kind: 'write', ...request }, [request.bytes.buffer]).catch((cause: unknown) => {
        throw new Fault('HISTORY_UNAVAILABLE', 'history is not available right now: try again', { cause })
      })
      if (reply.kind === 'dropped') throw new Error('the writer of history answered out of turn')
      return reply
    },
    drop(page) {
      // A thread that ended has forgotten the page, too.
      thread.ask({ kind: 'drop', page }).catch(() => undefined)
    },
    stop: () => thread.stop(),
  }
}
