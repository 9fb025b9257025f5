// Multicall3 on the lab's chains: many calls in one, each of which may fail alone. https://www.multicall3.com
import {
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  numberToHex,
  pad,
  toFunctionSelector,
} from 'viem'

export const multicall = '0xca11bde05977b3631167028862be2a173976ca11'

/**
 * `read`: a contract's return data; null: it reverts, or does not exist. `blockAt`: time of the newest block, epoch s; absent when it is
 * never requested.
 */
export function aggregated(data: Hex, read: (to: string, data: Hex) => Hex | null, blockAt?: number): Hex {
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
  if (functionName !== 'aggregate3') throw new Error(`no call of ${functionName}`)
  const result = args[0].map(({ target, callData }) => {
    const returnData =
      blockAt !== undefined && isOwnClock(target, callData) ? pad(numberToHex(blockAt)) : read(target, callData)
    return { success: returnData !== null, returnData: returnData ?? ('0x' as const) }
  })
  return encodeFunctionResult({ abi: multicall3Abi, functionName, result })
}

const clockSelector = toFunctionSelector('function getCurrentBlockTimestamp()')
const isOwnClock = (target: string, data: Hex): boolean => target.toLowerCase() === multicall && data === clockSelector
