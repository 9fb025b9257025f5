// The matcher's thread: it receives markets in batches, matches on request, and returns its rows in batches. One reply per request.
import type { MessagePort } from 'node:worker_threads'
import { IncrementalMatcher, type MatchInput, type MatchRequest, type SessionAnswer } from '#matching/candidateIndex'
import { readShippedDecisions } from '#matching/decide/templates/shippedDecisions'
import type { OpenTemplatePair } from '#matching/decide/templates/templateIndex'
import type { MatchPiece, OpenTemplatePairRow } from '#storage/postgres/matching/index'

export type MatchMessage =
  | { kind: 'begin' }
  | { kind: 'put'; markets: readonly MatchInput[] }
  | { kind: 'drop'; keys: readonly string[] }
  | { kind: 'remember'; members: readonly { clusterId: string; key: string }[] }
  | ({ kind: 'run' } & MatchRequest)
  | { kind: 'next' }
  | { kind: 'stop' }

export type MatchReply =
  | { kind: 'done' }
  | { kind: 'ran'; counts: Record<string, number> }
  | { kind: 'piece'; piece: MatchPiece | null }
  | { kind: 'failed'; message: string }

/** Rows per batch: some milliseconds to copy and to write. */
const rowsPerPiece = 200

export default function matchMarkets({ port }: { port: MessagePort }): Promise<void> {
  const thread = new MatchThread()
  return new Promise((resolve) => {
    port.on('message', (message: MatchMessage) => {
      if (message.kind === 'stop') {
        port.close()
        resolve()
        return
      }
      port.postMessage(thread.answer(message))
    })
  })
}

class MatchThread {
  private readonly session = new IncrementalMatcher()
  private readonly shipped = readShippedDecisions()
  private readonly previous = new Map<string, { id: string; members: { key: string }[] }>()
  private pieces: Iterator<MatchPiece> = [][Symbol.iterator]()

  answer(message: Exclude<MatchMessage, { kind: 'stop' }>): MatchReply {
    try {
      return this.perform(message)
    } catch (error) {
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
    }
  }

  private perform(message: Exclude<MatchMessage, { kind: 'stop' }>): MatchReply {
    switch (message.kind) {
      case 'begin':
        this.previous.clear()
        this.pieces = [][Symbol.iterator]()
        return { kind: 'done' }
      case 'put':
        this.session.put(message.markets)
        return { kind: 'done' }
      case 'drop':
        this.session.drop(message.keys)
        return { kind: 'done' }
      case 'remember':
        for (const { clusterId, key } of message.members) {
          const cluster = this.previous.get(clusterId) ?? { id: clusterId, members: [] }
          cluster.members.push({ key })
          this.previous.set(clusterId, cluster)
        }
        return { kind: 'done' }
      case 'run': {
        const previous = [...this.previous.values()]
        const answer = this.session.run({
          previous,
          overrides: message.overrides,
          decisions: [...this.shipped, ...(message.decisions ?? [])],
          full: message.full,
          now: message.now,
        })
        this.pieces = piecesOf(answer)
        return { kind: 'ran', counts: answer.counts }
      }
      case 'next':
        return { kind: 'piece', piece: this.pieces.next().value ?? null }
    }
  }
}

function* piecesOf({ clusters, pairs, relations, openTemplates }: SessionAnswer): Generator<MatchPiece> {
  for (let at = 0; at < clusters.length; at += rowsPerPiece)
    yield { kind: 'clusters', rows: clusters.slice(at, at + rowsPerPiece) }
  for (let at = 0; at < openTemplates.length; at += rowsPerPiece) {
    const batch = openTemplates.slice(at, at + rowsPerPiece)
    yield { kind: 'openTemplates', rows: batch.map(openTemplateRow) }
  }
  for (let at = 0; at < pairs.length; at += rowsPerPiece)
    yield { kind: 'pairs', rows: pairs.slice(at, at + rowsPerPiece) }
  for (let at = 0; at < relations.length; at += rowsPerPiece)
    yield { kind: 'relations', rows: relations.slice(at, at + rowsPerPiece) }
}

const openTemplateRow = ({ pair, examples, count }: OpenTemplatePair): OpenTemplatePairRow => ({
  key: pair.key,
  a: pair.a,
  b: pair.b,
  slots: [...pair.slots],
  examples: [...examples],
  pairs: count,
})
