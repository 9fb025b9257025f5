// What a build asks of whoever signs it, done where the key is. The service never sees the key: it is given a signature.
import { CrossbookError } from '../errors.ts'
import { base58 } from './base58.ts'

export type Hex = `0x${string}`

/** EIP-712, as a wallet takes it. */
export interface TypedData {
  domain: Record<string, unknown>
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

export interface UnsignedTransaction {
  to: Hex
  data: Hex
  value: bigint
  chainId: number
}

/** Of a key that signs bytes. */
export interface BytesSigner {
  signBytes(bytes: Uint8Array): Promise<Uint8Array>
}

/** What of a wallet is used; an account of viem has all of it, and a wallet client `sendTransaction`. Only what the artifact asks for is needed. */
export interface Signer extends Partial<BytesSigner> {
  signTypedData?(typed: never): Promise<string>
  signMessage?(given: never): Promise<string>
  signTransaction?(transaction: never): Promise<string>
  sendTransaction?(transaction: never): Promise<string>
}

export interface SignOptions {
  /** Gas, fees and nonce of a transaction, which are the wallet's own matter: put beside what was built. */
  transaction?: Readonly<Record<string, unknown>>
}

/** What submit takes beside the venue's credentials. */
export interface Signed {
  signature?: string
  signedTransaction?: string
  transactionHash?: string
}

/**
 * `nothing`: no signature is asked for at home. Either the venue takes none (some cancellations), or submit signs with credentials that go with it
 * for the length of that request.
 */
export type ArtifactKind = 'typedData' | 'personal' | 'bytes' | 'transaction' | 'nothing'

type Artifact = Readonly<Record<string, unknown>>

export function artifactKind(unsigned: Artifact): ArtifactKind {
  if (unsigned.kernel !== undefined) return 'personal'
  if (unsigned.primaryType !== undefined && unsigned.domain !== undefined) return 'typedData'
  if (typeof unsigned.permit === 'string') return 'bytes'
  return typeof unsigned.to === 'string' && typeof unsigned.data === 'string' ? 'transaction' : 'nothing'
}

/** `built` as a build answered it. What it does stands in its `summary`, which was read off the artifact: look at it first. */
export async function sign(
  built: { unsigned?: unknown },
  signer: Signer,
  { transaction = {} }: SignOptions = {},
): Promise<Signed> {
  const unsigned = built.unsigned as Artifact | undefined
  if (typeof unsigned !== 'object' || unsigned === null) throw new TypeError('there is no artifact in what was built')
  switch (artifactKind(unsigned)) {
    case 'typedData':
      return { signature: await of(signer, 'signTypedData')(typedDataIn(unsigned) as never) }
    case 'personal': {
      const { digest } = unsigned.kernel as { digest: Hex }
      return { signature: await of(signer, 'signMessage')({ message: { raw: digest } } as never) }
    }
    case 'bytes': {
      const permit = Uint8Array.from(atob(unsigned.permit as string), (letter) => letter.charCodeAt(0))
      return { signature: base58(await of(signer, 'signBytes')(permit)) }
    }
    case 'transaction': {
      const { to, data, value, chainId } = unsigned as { to: Hex; data: Hex; value?: string; chainId: number }
      const whole = { ...transaction, to, data, value: BigInt(value ?? 0), chainId } as never
      if (signer.signTransaction !== undefined) return { signedTransaction: await signer.signTransaction(whole) }
      return { transactionHash: await of(signer, 'sendTransaction')(whole) }
    }
    case 'nothing':
      return {}
  }
}

/** Without what stands beside it and is not signed. */
const typedDataIn = ({ domain, types, primaryType, message }: Artifact): TypedData =>
  ({ domain, types, primaryType, message }) as unknown as TypedData

function of<Name extends keyof Signer>(signer: Signer, name: Name): NonNullable<Signer[Name]> {
  const method = signer[name]
  if (method === undefined) throw new CrossbookError(`this artifact needs a signer with ${name}`)
  return (method as (...args: unknown[]) => unknown).bind(signer) as NonNullable<Signer[Name]>
}
