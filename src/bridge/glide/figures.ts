// Numbers as the provider writes them into what is to be signed. Null where there is none.

/** Of a uint256: decimal, hexadecimal, or a number that JSON carries exactly. */
export function uintOf(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  if (typeof value !== 'string' || !/^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)) return null
  return BigInt(value)
}

/** The number of a CAIP-2 chain of the EVM. */
export const chainNumberOf = (chain: string): bigint => BigInt(chain.slice('eip155:'.length))

export const isZeroAddress = (address: string): boolean => /^0x0{40}$/.test(address)
