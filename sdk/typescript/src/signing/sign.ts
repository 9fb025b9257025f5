// Signs the artifact of a build locally, where the key is. The service never sees the key: it only receives a signature.
import { CrossbookError } from '../errors.ts'
import { base58 } from './base58.ts'

export type Hex = `0x${string}`

/** EIP-712 typed data, as a wallet takes it. */
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

/** A key that signs bytes. */
export interface BytesSigner {
  signBytes(bytes: Uint8Array): Promise<Uint8Array>
}

/**
 * The wallet methods used here; a viem account has all of them, and a wallet client also has `sendTransaction`. Only those that the
 * artifact needs are required.
 */
export interface Signer extends Partial<BytesSigner> {
  signTypedData?(typed: never): Promise<string>
  signMessage?(given: never): Promise<string>
  signTransaction?(transaction: never): Promise<string>
  sendTransaction?(transaction: never): Promise<string>
}

export interface SignOptions {
  /** Gas, fees and nonce of a transaction, which the wallet decides: added to what was built. */
  transaction?: Readonly<Record<string, unknown>>
}

/** The fields of a submit apart from the venue's credentials. */
export interface Signed {
  signature?: string
  signedTransaction?: string
  transactionHash?: string
}

/**
 * `nothing`: no local signature is needed. Either the venue requires none (some cancellations), or submit signs with credentials sent for
 * that request only.
 */
export type ArtifactKind = 'typedData' | 'personal' | 'bytes' | 'transaction' | 'nothing'

type Artifact = Readonly<Record<string, unknown>>

export function artifactKind(unsigned: Artifact): ArtifactKind {
  if (unsigned.kernel !== undefined) return 'personal'
  if (unsigned.primaryType !== undefined && unsigned.domain !== undefined) return 'typedData'
  if (typeof unsigned.permit === 'string') return 'bytes'
  return typeof unsigned.to === 'string' && typeof unsigned.data === 'string' ? 'transaction' : 'nothing'
}

/** `built` as returned by a build. Check its `summary` first: it is derived from the artifact. */
export async function sign(
  built: { unsigned?: unknown },
  signer: Signer,
  { transaction = {} }: SignOptions = {},
): Promise<Signed> {
  const unsigned = built.unsigned as Artifact | undefined
  if (typeof unsigned !== 'object' || unsigned === null) throw new TypeError('the build contains no artifact')
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

/** Without the additional fields that are not signed. */
const typedDataIn = ({ domain, types, primaryType, message }: Artifact): TypedData =>
  ({ domain, types, primaryType, message }) as unknown as TypedData

function of<Name extends keyof Signer>(signer: Signer, name: Name): NonNullable<Signer[Name]> {
  const method = signer[name]
  if (method === undefined) throw new CrossbookError(`this artifact needs a signer with ${name}`)
  return (method as (...args: unknown[]) => unknown).bind(signer) as NonNullable<Signer[Name]>
}
