// A transaction as a node forwards it before its block, and only if it calls one of our contracts: others are not examined further.
// https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub#newpendingtransactions
export interface WaitingTransaction {
  /** All hex in lower case. */
  hash: string
  from: string
  to: string
  nonce: number
  input: string
}

/** The maximum nodes accept: 128 KiB in hex. */
const inputCharsMax = 2 * 128 * 1024 + 2
const hashShape = /^0x[0-9a-f]{64}$/
const addressShape = /^0x[0-9a-f]{40}$/
const nonceShape = /^0x[0-9a-f]{1,13}$/i

/** Null: not one of ours, or malformed. */
export function parsePendingTransaction(body: unknown, contracts: ReadonlySet<string>): WaitingTransaction | null {
  if (typeof body !== 'object' || body === null) return null
  const { hash, from, to, nonce, input } = body as Readonly<Record<string, unknown>>
  if (typeof to !== 'string' || to.length !== 42) return null
  const contract = to.toLowerCase()
  if (!contracts.has(contract)) return null
  if (typeof hash !== 'string' || typeof from !== 'string' || typeof nonce !== 'string' || typeof input !== 'string')
    return null
  if (input.length > inputCharsMax || !nonceShape.test(nonce)) return null
  const read = {
    hash: hash.toLowerCase(),
    from: from.toLowerCase(),
    to: contract,
    nonce: Number.parseInt(nonce, 16),
    input: input.toLowerCase(),
  }
  return hashShape.test(read.hash) && addressShape.test(read.from) ? read : null
}
