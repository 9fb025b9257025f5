// The artifacts: each is one transaction to a pool. Its self-description is its decoded calldata; at submit it may cost less and bring more than
// was built, and nothing else.
import type { JsonObject } from '#schemas/executions'
import type { AcceptanceDeadline, LaneContext, LaneExecution } from '../../lane.ts'
import { artifactReader, violation } from '../../shared/exec/artifact.ts'
import { boundsChecker } from '../../shared/exec/bounds.ts'
import { heldOptions } from '../../shared/exec/orderOptions.ts'
import { type Transaction, transactionShape } from '../../shared/exec/transaction.ts'
import { chainId } from '../ids.ts'
import { type PoolCall, readCall } from './contracts.ts'
import { wrong } from './poolChecks.ts'

const TransactionArtifact = transactionShape(chainId)

/** Its artifacts by intent: each a transaction of the owner's. */
export const artifacts = { order: TransactionArtifact, cancel: TransactionArtifact, redeem: TransactionArtifact }

const read = artifactReader('rain', TransactionArtifact)
export const readTransaction = (unsigned: JsonObject): Transaction => read(unsigned)

export interface Artifact {
  to: Transaction['to']
  call: PoolCall
}

/** Throws ARTIFACT_BOUNDS_VIOLATION. */
export function readArtifact(unsigned: JsonObject): Artifact {
  const { to, data } = read(unsigned)
  const call = readCall(data)
  if (call === null)
    throw violation('rain', 'the artifact does not have a shape that this lane builds', data.slice(0, 100))
  return { to, call }
}

export const transactionTo = (to: Transaction['to'], data: Transaction['data']) =>
  ({ to, data, value: '0', chainId }) as const satisfies Transaction

export function boundsOf(unsigned: JsonObject): JsonObject {
  const { to, call } = readArtifact(unsigned)
  if (call.kind !== 'limit') return { ...call, to }
  const { postOnly, ...limit } = call
  return { ...limit, to, ...heldOptions({ postOnly }) }
}

const otherwise = 'the artifact differs from what was built'
const anotherPool = 'it is for another pool'
const anotherOption = 'it is for another option'
const anotherSide = 'it is for another side'
const anotherOrder = 'it cancels another order'

const checkSame = boundsChecker('rain', boundsOf, {
  limit: {
    otherwise,
    same: { to: anotherPool, option: anotherOption, optionSide: anotherSide, side: anotherSide },
    limits: { price: 'price', size: 'amount', wantsLow: ({ side }) => side === 'buy' },
  },
  market: {
    otherwise,
    same: { to: anotherPool, option: anotherOption, optionSide: anotherSide, side: anotherSide },
    // Minimum proceeds.
    limits: { price: 'minimum', size: 'amount', wantsLow: () => false },
  },
  cancel: {
    otherwise,
    same: {
      to: anotherPool,
      option: anotherOption,
      optionSide: anotherSide,
      side: anotherSide,
      price: anotherOrder,
      orderId: anotherOrder,
    },
  },
  redeem: { otherwise, same: { to: anotherPool, option: anotherOption } },
})

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  checkSame(unsigned, bounds)
  const { call } = readArtifact(unsigned)
  if (call.kind !== 'market') return
  if (typeof bounds.deadline !== 'string' || BigInt(call.deadline) > BigInt(bounds.deadline)) {
    throw violation('rain', 'it may execute later than requested')
  }
}

/** For a market order: after the deadline the contract would only refuse it. */
export function checkTimely({ clock }: LaneContext, unsigned: JsonObject): void {
  const { call } = readArtifact(unsigned)
  if (call.kind === 'market' && Number(call.deadline) * 1_000 <= clock.now()) {
    throw wrong('RAIN_INVALID_DEADLINE', 'its deadline has passed: build it again')
  }
}

/** Null without a deadline: a signed transaction stays valid until its wallet uses the nonce for another one. */
export function lateBound({ unsigned }: LaneExecution): AcceptanceDeadline | null {
  const { call } = readArtifact(unsigned)
  if (call.kind !== 'market') return null
  return { untilMs: Number(call.deadline) * 1_000, rule: 'the pool refuses market orders past their deadline' }
}
