// Numbers as the provider writes them into data to sign. Null when absent.

/** A uint256: decimal, hexadecimal, or a number that JSON represents exactly. */
export function uintOf(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  if (typeof value !== 'string' || !/^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)) return null
  return BigInt(value)
}

/** The number of an EVM chain's CAIP-2 id. */
export const chainNumberOf = (chain: string): bigint => BigInt(chain.slice('eip155:'.length))

export const isZeroAddress = (address: string): boolean => /^0x0{40}$/.test(address)
