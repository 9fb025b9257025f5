// The sports engine's thread: it is told of markets in pieces, builds fixtures on request, and hands out what changed in pieces. One reply to
// every request.
import type { MessagePort } from 'node:worker_threads'
import { type SportsAnswer, SportsEngine } from '#sports/engine'
import type { SportsInput, SportsPiece, SportsTotals } from '#sports/index'

export type SportsMessage =
  | { kind: 'begin' }
  | { kind: 'remember'; placed: readonly { key: string; fixtureId: string }[] }
  | { kind: 'put'; inputs: readonly SportsInput[] }
  | { kind: 'drop'; keys: readonly string[] }
  | { kind: 'run'; today: number }
  | { kind: 'next' }
  | { kind: 'stop' }

export type SportsReply =
  | { kind: 'done' }
  | { kind: 'ran'; totals: SportsTotals }
  | { kind: 'piece'; piece: SportsPiece | null }
  | { kind: 'failed'; message: string }

/** Rows of one piece: some milliseconds to copy and to write. */
const recordsPerPiece = 50
const idsPerPiece = 1_000

export default function buildFixtures({ port }: { port: MessagePort }): Promise<void> {
  const thread = new FixtureThread()
  return new Promise((resolve) => {
    port.on('message', (message: SportsMessage) => {
      if (message.kind === 'stop') {
        port.close()
        resolve()
        return
      }
      port.postMessage(thread.answer(message))
    })
  })
}

class FixtureThread {
  private readonly engine = new SportsEngine()
  private pieces: Iterator<SportsPiece> = [][Symbol.iterator]()

  answer(message: Exclude<SportsMessage, { kind: 'stop' }>): SportsReply {
    try {
      return this.perform(message)
    } catch (error) {
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
    }
  }

  private perform(message: Exclude<SportsMessage, { kind: 'stop' }>): SportsReply {
    switch (message.kind) {
      case 'begin':
        return { kind: 'done' }
      case 'remember':
        this.engine.remember(message.placed)
        return { kind: 'done' }
      case 'put':
        this.engine.put(message.inputs)
        return { kind: 'done' }
      case 'drop':
        this.engine.drop(message.keys)
        return { kind: 'done' }
      case 'run': {
        const answer = this.engine.run(message.today)
        this.pieces = piecesOf(answer)
        return { kind: 'ran', totals: answer.totals }
      }
      case 'next':
        return { kind: 'piece', piece: this.pieces.next().value ?? null }
    }
  }
}

function* piecesOf({ changed, removed }: SportsAnswer): Generator<SportsPiece> {
  for (let at = 0; at < changed.length; at += recordsPerPiece)
    yield { kind: 'changed', records: changed.slice(at, at + recordsPerPiece) }
  for (let at = 0; at < removed.length; at += idsPerPiece)
    yield { kind: 'removed', ids: removed.slice(at, at + idsPerPiece) }
}
