// The sports engine's thread: it receives markets in batches, builds fixtures on request, and returns changes in batches. One reply per
// request.
import type { MessagePort } from 'node:worker_threads'
import { SportsEngine } from '#sports/engine'
import type { FixtureRecord, SportsInput, SportsPiece, SportsTotals } from '#sports/index'

export type SportsMessage =
  | { kind: 'begin' }
  | { kind: 'remember'; placed: readonly { key: string; fixtureId: string }[] }
  | { kind: 'put'; inputs: readonly SportsInput[] }
  | { kind: 'drop'; keys: readonly string[] }
  | { kind: 'run'; today: number }
  | { kind: 'next' }
  | { kind: 'written' }
  | { kind: 'stop' }

export type SportsReply =
  | { kind: 'done' }
  | { kind: 'ran'; totals: SportsTotals }
  | { kind: 'piece'; piece: SportsPiece | null }
  | { kind: 'failed'; message: string }

/** Rows per batch: some milliseconds to copy and to write. A game may have hundreds of markets. */
const recordsPerPiece = 20
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

export class FixtureThread {
  private readonly engine = new SportsEngine()
  /** Reported by the engine and not yet written: a failed pass loses nothing. */
  private readonly changed = new Map<string, FixtureRecord>()
  private readonly removed = new Set<string>()
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
        this.engine.restorePlacements(message.placed)
        return { kind: 'done' }
      case 'put':
        this.engine.upsert(message.inputs)
        return { kind: 'done' }
      case 'drop':
        this.engine.remove(message.keys)
        return { kind: 'done' }
      case 'run': {
        const { changed, removed, totals } = this.engine.run(message.today)
        for (const id of removed) {
          this.changed.delete(id)
          this.removed.add(id)
        }
        for (const record of changed) {
          this.removed.delete(record.head.fixtureId)
          this.changed.set(record.head.fixtureId, record)
        }
        this.pieces = piecesOf([...this.changed.values()], [...this.removed])
        return { kind: 'ran', totals }
      }
      case 'next':
        return { kind: 'piece', piece: this.pieces.next().value ?? null }
      case 'written':
        this.changed.clear()
        this.removed.clear()
        return { kind: 'done' }
    }
  }
}

function* piecesOf(changed: readonly FixtureRecord[], removed: readonly string[]): Generator<SportsPiece> {
  for (let at = 0; at < changed.length; at += recordsPerPiece)
    yield { kind: 'changed', records: changed.slice(at, at + recordsPerPiece) }
  for (let at = 0; at < removed.length; at += idsPerPiece)
    yield { kind: 'removed', ids: removed.slice(at, at + idsPerPiece) }
}
