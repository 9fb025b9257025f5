// Accounts as chains name them.

const evmAddress = /^0x[0-9a-fA-F]{40}$/

export const isEvmAddress = (text: string): boolean => evmAddress.test(text)
