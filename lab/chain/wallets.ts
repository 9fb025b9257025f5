// Handling of a signed transaction at a node of the lab's chain: its signer, its nonce, its effects, and its block, which is mined at once. Checked
// from first principles, as the chain does.
import { keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import type { LabCall, LabChain } from './chain.ts'
import { Refusal } from './rpcHandlers.ts'

export interface SignedCall {
  hash: string
  call: LabCall
}

/** Throws Refusal, worded like a node's. */
export async function readSigned(chain: LabChain, raw: unknown, chainId: number): Promise<SignedCall> {
  const serializedTransaction = String(raw) as TransactionSerialized
  const { signed, from } = await signerOf(serializedTransaction)
  const { to, data = '0x', value = 0n, nonce = 0 } = signed
  if (signed.chainId !== chainId) throw new Refusal(-32000, 'invalid chain id for signer')
  if (to == null || value > 0n) throw new Refusal(-32000, 'insufficient funds for gas * price + value')
  const hash = keccak256(serializedTransaction)
  if (chain.find(hash) !== null) throw new Refusal(-32000, 'already known')
  const next = nextNonce(chain, from)
  if (nonce < next) throw new Refusal(-32000, `nonce too low: next nonce ${next}, tx nonce ${nonce}`)
  if (nonce > next) throw new Refusal(-32000, `nonce too high: next nonce ${next}, tx nonce ${nonce}`)
  return { hash, call: { from, to: to.toLowerCase(), input: data, nonce } }
}

export const nextNonce = (chain: LabChain, from: string): number =>
  chain.callsOf(from.toLowerCase(), chain.head.number).length

async function signerOf(serializedTransaction: TransactionSerialized) {
  try {
    const signed = parseTransaction(serializedTransaction)
    return { signed, from: (await recoverTransactionAddress({ serializedTransaction })).toLowerCase() }
  } catch {
    throw new Refusal(-32000, 'rlp: expected input list')
  }
}

/** Adds it to the next block and mines that. */
export function settle(chain: LabChain, { hash, call }: SignedCall): void {
  const done = chain.machine!.execute(call)
  if ('reverted' in done) chain.send([], { hash, call, stays: true, isReverted: true })
  else chain.send(done.logs, { hash, call, stays: true })
  chain.mine()
}
