// Calls of contracts whose transaction the holder's wallet sends, at lanes whose orders are posted to the venue instead. Submit takes the hash of
// the transaction, or the signed transaction if a node of the chain is configured. No credentials: the chain is public.
//
//   no node                                             ─► submitted   stored; its owner resolves it
//   in no block yet, or not known to the node           ─► submitted   acked once it is the built call, sent by the owner
//   mined: the contract's own log of this call          ─► filled      once its block is final
//          the built call, reverted                     ─► failed      once its block is final
//          the built call, without a log that is read   ─► acked       no status once its block is final: its owner resolves it
//          anything else                                ─► no status   another transaction proves nothing
//
// A Safe, a proxy or a bundler wraps the built call in another one: then the log must name the holder.
import { lowerBoundNow } from '#core/clock'
import { Fault } from '#core/fault'
import type { ChainLog, ChainTransaction } from '#net/chainNode'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import type { LaneContext, LaneExecution, Observation, Prepared, RelayOutcome } from '../../lane.ts'
import { chainOf, hasNodes } from '../evm.ts'
import { violation } from './artifact.ts'
import { NoCredentials } from './credentials.ts'
import { filledSize } from './filledSize.ts'
import { nothing } from './orderSnapshot.ts'
import type { Redemption } from './redemption.ts'
import { ownerOf } from './signature.ts'
import {
  observePending,
  observeReverted,
  type Transaction,
  type TransactionStatus,
  transactionStatus,
  transactionSubmit,
} from './transaction.ts'

/** A redemption or an exchange of shares, as messages name it. */
interface CallWords {
  /** "redemption" */
  noun: string
  /** "redeem this market" */
  does: string
}

export interface FoundCall {
  call: Redemption
  /** Lower case. */
  owner: string
  /** The owner sent the built call itself. */
  isDirect: boolean
}

interface CallLane {
  venue: ExecutionVenue
  chainId: number
  /** Blocks on top of a block that is final. */
  confirmations: number
  words: CallWords
  /** Throws ARTIFACT_BOUNDS_VIOLATION. */
  readCall(unsigned: JsonObject): Redemption
  /** Whether the logs of a transaction that succeeded show the call. */
  isDone(logs: readonly ChainLog[], found: FoundCall): boolean
}

type Finding =
  | Exclude<TransactionStatus, { kind: 'mined' }>
  /** In no block yet, and not the built call: what it does is unknown. */
  | { kind: 'unclear' }
  | { kind: 'reverted' | 'done' | 'unread'; mined: Extract<TransactionStatus, { kind: 'mined' }> }
  | { kind: 'other'; isOwners: boolean }

type SentBody = Parameters<ReturnType<typeof transactionSubmit>['prepare']>[2]

export function sentCall(lane: CallLane) {
  const { venue, chainId, words } = lane
  const isAnother = `it does not ${words.does} for this wallet: it is another transaction`
  const readTransaction = (unsigned: JsonObject): Transaction => ({
    ...lane.readCall(unsigned),
    value: '0',
    chainId,
  })
  const direct = transactionSubmit({ venue, chainId, readTransaction })
  const noNode = noNodeOf(chainId)

  async function find(context: LaneContext, execution: LaneExecution, hash: string): Promise<Finding> {
    const node = chainOf(context, venue, chainId)
    const chainStatus = await transactionStatus(
      node,
      { ...execution, venueRef: hash },
      { confirmations: lane.confirmations, nowMs: lowerBoundNow(context.clock) },
    )
    if (chainStatus.kind === 'missing' || chainStatus.kind === 'replaced') return chainStatus
    const transaction = await node.transaction(hash)
    const call = lane.readCall(execution.unsigned)
    const owner = ownerOf(venue, execution).toLowerCase()
    const isCall = transaction !== null && isBuilt(transaction, call)
    const isDirect = isCall && transaction.from === owner
    if (chainStatus.kind === 'waiting') {
      if (isDirect) return chainStatus
      return isCall ? { kind: 'other', isOwners: false } : { kind: 'unclear' }
    }
    if (!chainStatus.receipt.succeeded) {
      return isDirect ? { kind: 'reverted', mined: chainStatus } : { kind: 'other', isOwners: !isCall }
    }
    if (lane.isDone(chainStatus.receipt.logs, { call, owner, isDirect })) return { kind: 'done', mined: chainStatus }
    return isDirect ? { kind: 'unread', mined: chainStatus } : { kind: 'other', isOwners: !isCall }
  }

  return {
    submit: {
      body: direct.body,
      fields: direct.fields,
      takesSameBytesOnce: () => true,

      async prepare(context: LaneContext, execution: LaneExecution, send: SentBody): Promise<Prepared> {
        if (send.signedTransaction !== undefined) {
          if (hasNodes(context)) return direct.prepare(context, execution, send)
          const why = `signedTransaction: no node of chain ${chainId} is configured: send it from your wallet and report its transactionHash`
          throw new Fault('NOT_IMPLEMENTED', why, { exchange: venue })
        }
        const hash = send.transactionHash!
        const found = hasNodes(context) ? await find(context, execution, hash) : null
        if (found?.kind === 'other' && !found.isOwners) {
          throw new Fault('INVALID_SIGNATURE', 'transactionHash: it is not the owner’s', {
            exchange: venue,
            afterWork: true,
          })
        }
        if (found?.kind === 'other') throw violation(venue, `transactionHash: ${isAnother}`)
        return { submittedArtifact: { ...execution.unsigned, transactionHash: hash }, venueRef: hash }
      },

      async relay(context: LaneContext, execution: LaneExecution, prepared: Prepared): Promise<RelayOutcome> {
        const { submittedArtifact, venueRef } = prepared
        if ('signedTransaction' in submittedArtifact) return direct.relay(context, execution, prepared)
        // The wallet has already sent it.
        const unknown = (reason: string): RelayOutcome => ({ kind: 'unknown', cause: new Error(reason), reason })
        if (!hasNodes(context)) return unknown(noNode)
        const { kind } = await find(context, execution, venueRef!)
        if (kind === 'missing' || kind === 'replaced') return unknown('the chain does not show the transaction')
        if (kind === 'unclear') return unknown(notMined)
        return kind === 'other' ? unknown(isAnother) : filledSize(venueRef)
      },
    },

    refresh: {
      body: NoCredentials,
      fields: [],
      credentialFree: true,
      asks: 'anybody' as const,
      async read(context: LaneContext, execution: LaneExecution): Promise<Observation> {
        const { venueRef } = execution
        if (venueRef === null) {
          throw new Fault('VALIDATION_ERROR', `this ${words.noun} was not reported yet`, { exchange: venue })
        }
        if (!hasNodes(context)) return nothing(venueRef, noNode)
        const found = await find(context, execution, venueRef)
        if (found.kind === 'other') return nothing(venueRef, isAnother)
        if (found.kind === 'unclear') return nothing(venueRef, notMined)
        if (!('mined' in found)) return observePending(execution, found)
        if (found.kind === 'reverted') return observeReverted(execution, found.mined)
        const { receipt, isFinal } = found.mined
        const { blockNumber } = receipt
        const seen = { shown: true, venueRef, fills: [] }
        if (found.kind === 'unread') {
          const reason = `its transaction shows no ${words.noun} that can be read`
          // Its block is final, so nothing changes any more: its owner can check what the wallet holds, and resolve it.
          if (isFinal) return nothing(venueRef, `${reason}: resolve it once you know how it ended`)
          return { ...seen, status: 'acked', observation: { blockNumber, reason } }
        }
        if (isFinal) return { ...seen, status: 'filled', observation: { blockNumber } }
        return { ...seen, status: 'acked', observation: { blockNumber, reason: 'its block may still leave the chain' } }
      },
    },
  }
}

/** Why a reported transaction is not looked up. */
export const noNodeOf = (chainId: number): string =>
  `no node of chain ${chainId} is configured, so the transaction cannot be looked up: resolve it once you know how it ended`

const notMined = 'the transaction is in no block yet: what it does is known after that'

const isBuilt = ({ to, input, value }: ChainTransaction, built: Redemption): boolean =>
  to === built.to.toLowerCase() && input === built.data && value === 0n
