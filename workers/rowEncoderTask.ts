// The thread that writes pages of history: the engine's columns in, lines out, both in transferred memory.
import type { MessagePort } from 'node:worker_threads'
import { type LinesReply, type LinesRequest, OpenPages } from '#history/lines/rowEncoderWorker'
import type { Failed } from './rpcWorker.ts'

export type LinesMessage = ({ kind: 'write' } & LinesRequest) | { kind: 'drop'; page: number } | { kind: 'stop' }
export type EncodedRows = LinesReply | { kind: 'dropped' } | Failed

export default function writeLines({ port }: { port: MessagePort }): Promise<void> {
  const pages = new OpenPages()
  return new Promise((resolve) => {
    port.on('message', (message: LinesMessage) => {
      if (message.kind === 'stop') {
        port.close()
        resolve()
        return
      }
      const answer = answerOf(pages, message)
      port.postMessage(answer, answer.kind === 'lines' ? answer.chunks.map(({ buffer }) => buffer) : [])
    })
  })
}

function answerOf(pages: OpenPages, message: Exclude<LinesMessage, { kind: 'stop' }>): EncodedRows {
  if (message.kind === 'drop') {
    pages.drop(message.page)
    return { kind: 'dropped' }
  }
  try {
    return pages.write(message)
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}
