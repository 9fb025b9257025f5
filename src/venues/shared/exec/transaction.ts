// For artifacts that are a transaction of the owner's wallet. Submit takes either the signed transaction, which is sent to the chain once, or the
// hash of one that the wallet has sent itself. The hash is known before sending and identifies it on the chain; the same signed bytes, however
// often they arrive, are one transaction.
//
//   signed ─► by the owner, and exactly what was built? ─► hash ─► sent to a node, once
//   hash   ─► on the chain, by the owner, and exactly what was built? ─► taken as it is
import { keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { ChainNode, ChainReceipt } from '#net/chainNode'
import type { SendOutcome } from '#net/http'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import type { LaneContext, LaneExecution, Observation, Prepared, RelayOutcome } from '../../lane.ts'
import { chainOf, nodesOf } from '../evm.ts'
import { sendTimeoutMs } from './apiKeyClient.ts'
import { violation } from './artifact.ts'
import { errorTable } from './errorTable.ts'
import { filledSize } from './filledSize.ts'
import { notVisible } from './orderSnapshot.ts'
import { redemptionShape } from './redemption.ts'
import { limitsRequests, relayOutcome } from './relay.ts'
import { ownerOf } from './signature.ts'
import { type Hex, hexText } from './typedOrder.ts'

/** As stored, and as a wallet takes it: the wallet sets gas and nonce. */
export const transactionShape = (chainId: number) => redemptionShape(hexText(40), chainId)
export type Transaction = z.infer<ReturnType<typeof transactionShape>>

/** Hex digits: many times what a call with a few arguments needs. */
const signedDigitsMax = 16_384

const SubmitBody = z
  .strictObject({
    signedTransaction: z
      .string()
      .max(signedDigitsMax)
      .regex(/^0x[0-9a-fA-F]+$/, 'must be the signed transaction as hex')
      .transform((text) => text.toLowerCase() as Hex)
      .optional(),
    transactionHash: hexText(64)
      .transform((text) => text.toLowerCase() as Hex)
      .optional(),
  })
  .refine(
    ({ signedTransaction, transactionHash }) => (signedTransaction === undefined) !== (transactionHash === undefined),
    {
      message: 'give signedTransaction, or transactionHash of the one that the wallet has sent',
    },
  )
  .meta({ examples: [{ transactionHash: `0x${'ab'.repeat(32)}` }] })
type SubmitBody = z.infer<typeof SubmitBody>

const Stored = z.object({ nonce: z.int().nonnegative(), signedTransaction: z.string().optional() })

interface TransactionLane {
  venue: ExecutionVenue
  chainId: number
  /** Throws ARTIFACT_BOUNDS_VIOLATION. */
  readTransaction(unsigned: JsonObject): Transaction
  /** Throws when it would fail by now. */
  checkTimely?(context: LaneContext, unsigned: JsonObject): void
}

export const transactionSubmit = ({ venue, chainId, readTransaction, checkTimely }: TransactionLane) => ({
  body: SubmitBody,
  fields: ['signedTransaction', 'transactionHash'],
  takesSameBytesOnce: () => true,

  async prepare(context: LaneContext, execution: LaneExecution, send: SubmitBody): Promise<Prepared> {
    const { unsigned } = execution
    const built = readTransaction(unsigned)
    const owner = ownerOf(venue, execution)
    if (send.signedTransaction !== undefined) {
      checkTimely?.(context, unsigned)
      const { signedTransaction } = send
      const nonce = await context.heavy(() => checkSigned(venue, { built, owner }, signedTransaction))
      return { submittedArtifact: { ...unsigned, nonce, signedTransaction }, venueRef: keccak256(signedTransaction) }
    }
    const hash = send.transactionHash!
    const node = chainOf(context, venue, chainId)
    const found = await node.transaction(hash)
    if (found === null)
      throw refused('transactionHash', 'the chain shows no such transaction yet: submit it again when it does')
    const isBuilt = found.to === built.to.toLowerCase() && found.input === built.data && found.value === 0n
    if (!isBuilt) throw violation(venue, 'transactionHash: it differs from what was built')
    if (found.from !== owner.toLowerCase()) throw notTheOwners(venue, 'transactionHash')
    return { submittedArtifact: { ...unsigned, nonce: found.nonce, transactionHash: hash }, venueRef: hash }
  },

  async relay(
    context: LaneContext,
    _execution: LaneExecution,
    { submittedArtifact, venueRef }: Prepared,
  ): Promise<RelayOutcome> {
    const { signedTransaction } = Stored.parse(submittedArtifact)
    // The wallet has already sent it.
    if (signedTransaction === undefined) return filledSize(venueRef)
    const sent = await sendRaw(context, { venue, chainId }, signedTransaction)
    return relayOutcome(nodeErrors, sent, (body) => {
      const { data } = Sent.safeParse(body)
      if (data !== undefined) return { ...filledSize(venueRef), about: { 'transaction hash': [data.result, venueRef] } }
      // A copy of it is there: sending it again changes nothing.
      const nodeError = NodeError.safeParse(body)
      return nodeError.success && isThere.test(nodeError.data.error.message) ? filledSize(venueRef) : null
    })
  },
})

const refused = (field: string, why: string): Fault => new Fault('VALIDATION_ERROR', `${field}: ${why}`)
const notTheOwners = (venue: ExecutionVenue, field: string): Fault =>
  new Fault('INVALID_SIGNATURE', `${field}: it is not the owner’s`, { exchange: venue, afterWork: true })

/**
 * Returns its nonce. Throws VALIDATION_ERROR if it is no signed transaction, ARTIFACT_BOUNDS_VIOLATION if it is not what was built, and
 * INVALID_SIGNATURE if it is not the owner's.
 */
async function checkSigned(
  venue: ExecutionVenue,
  { built, owner }: { built: Transaction; owner: string },
  signedTransaction: Hex,
): Promise<number> {
  const serializedTransaction = signedTransaction as TransactionSerialized
  let parsed: ReturnType<typeof parseTransaction>
  let signer: string
  try {
    parsed = parseTransaction(serializedTransaction)
    signer = await recoverTransactionAddress({ serializedTransaction })
  } catch (cause) {
    const why = 'signedTransaction: it is not a signed transaction'
    throw new Fault('VALIDATION_ERROR', why, { exchange: venue, cause, afterWork: true })
  }
  const { type, chainId, to, data = '0x', value = 0n, nonce = 0 } = parsed
  const isBuilt =
    (type === 'eip1559' || type === 'eip2930' || type === 'legacy') &&
    chainId === built.chainId &&
    to?.toLowerCase() === built.to.toLowerCase() &&
    data === built.data &&
    value === 0n
  if (!isBuilt) {
    const why = 'signedTransaction: it differs from what was built'
    throw new Fault('ARTIFACT_BOUNDS_VIOLATION', why, { exchange: venue, afterWork: true })
  }
  if (signer.toLowerCase() !== owner.toLowerCase()) throw notTheOwners(venue, 'signedTransaction')
  return nonce
}

async function sendRaw(
  context: LaneContext,
  { venue, chainId }: Pick<TransactionLane, 'venue' | 'chainId'>,
  signedTransaction: string,
): Promise<SendOutcome> {
  const { sender, signal } = context
  let url: string
  try {
    url = await nodesOf(context, venue, chainId).verifiedNode(signal)
  } catch (cause) {
    return { kind: 'not_sent', cause }
  }
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [signedTransaction] })
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  return sender.send({ method: 'POST', url, text, headers, timeoutMs: sendTimeoutMs, signal })
}

const Sent = z.object({ result: hexText(64) })
const NodeError = z.object({ error: z.object({ code: z.number(), message: z.string().min(1) }) })

/** The node has this very transaction: it names what it was given. */
const isThere = /^(already (known|imported)|(already )?known transaction|transaction already (known|imported))/i
/** The wallet has used its nonce, perhaps for this very transaction. */
const mayBeOurs = /already (known|imported)|known transaction|nonce too low|replacement/i
/**
 * Reasons for which nodes reject a transaction even from their pool. https://github.com/ethereum/go-ethereum (core/error.go,
 * core/txpool/errors.go)
 */
const turnedDown =
  /insufficient funds|intrinsic gas too low|exceeds block gas limit|max fee per gas less than block base fee|max priority fee per gas higher|underpriced|invalid sender|invalid chain id|invalid signature|transaction type not supported|only replay-protected|oversized data|nonce too high/i

export const nodeErrors = errorTable({
  alsoUnder: [200, 429],
  // By the hash.
  takesSameBytesOnce: true,
  read(body) {
    const { data } = NodeError.safeParse(body)
    return data === undefined ? null : { code: String(data.error.code), text: data.error.message }
  },
  rows: [
    { text: mayBeOurs, means: 'unclear' },
    { text: turnedDown, means: 'order' },
    { code: '-32005', means: 'notLookedAt', shownAs: limitsRequests },
    {
      text: /\b(rate|request) limit|too many requests|limit exceeded/i,
      means: 'notLookedAt',
      shownAs: limitsRequests,
    },
  ],
})

export type TransactionStatus =
  /** `isFinal`: deep enough under later blocks to stay. */
  | { kind: 'mined'; receipt: ChainReceipt; isFinal: boolean }
  /** A node has it, but no block yet. */
  | { kind: 'waiting' }
  /** Another transaction has taken its nonce for good: it can never be mined. */
  | { kind: 'replaced' }
  | { kind: 'missing' }

/** Two lookups this far apart must both find the nonce used and the transaction missing, because nodes lag behind each other. */
const betweenLooksMs = 60_000
/** Nodes discard old transactions: past this age, absence proves nothing. */
const retentionMs = 86_400_000

/** The status of a transaction that was submitted through this file. */
export async function transactionStatus(
  node: ChainNode,
  execution: Pick<LaneExecution, 'venueRef' | 'owner' | 'submittedArtifact' | 'missingSince' | 'createdAt'>,
  { confirmations, nowMs }: { confirmations: number; nowMs: number },
): Promise<TransactionStatus> {
  const { venueRef: hash, owner, submittedArtifact, missingSince, createdAt } = execution
  if (hash === null || owner === null) throw new Fault('INTERNAL', 'a transaction without a hash or an owner')
  const { data: sent } = Stored.safeParse(submittedArtifact)
  const head = await node.head()
  const { receipt, nonce } = await node.transactionState(hash, owner, Math.max(0, head - confirmations))
  if (receipt !== null) return { kind: 'mined', receipt, isFinal: head - receipt.blockNumber >= confirmations }
  if ((await node.transaction(hash)) !== null) return { kind: 'waiting' }
  const isLong = missingSince !== null && nowMs - missingSince >= betweenLooksMs
  // From the build: a transaction that was sent again may have been mined long before that.
  const isRetained = nowMs - createdAt < retentionMs
  return sent !== undefined && nonce > sent.nonce && isLong && isRetained ? { kind: 'replaced' } : { kind: 'missing' }
}

/** It is in no block: it waits for one, was never accepted, or never will be. */
export function observePending(
  { venueRef, intent }: Pick<LaneExecution, 'venueRef' | 'intent'>,
  { kind }: Exclude<TransactionStatus, { kind: 'mined' }>,
): Observation {
  if (kind === 'waiting') {
    const observation = { reason: 'a node has the transaction, and no block yet' }
    return { status: 'acked', shown: true, venueRef, fills: [], observation }
  }
  if (kind === 'missing') return notVisible(venueRef, 'the chain does not show the transaction', intent === 'order')
  const reason =
    'the wallet has used its nonce for another transaction; where that is a faster copy of this one, build it again and submit that hash'
  return { status: 'failed', shown: false, venueRef, fills: [], observation: { reason }, reason }
}

/** It only cost its gas: terminal, once it is final. */
export function observeReverted(
  { venueRef }: Pick<LaneExecution, 'venueRef'>,
  { receipt, isFinal }: Extract<TransactionStatus, { kind: 'mined' }>,
): Observation {
  const observation = { reason: 'the transaction was reverted', blockNumber: receipt.blockNumber }
  const seen = { shown: true, venueRef, fills: [], observation }
  return isFinal ? { ...seen, status: 'failed', reason: observation.reason } : { ...seen, status: null }
}
