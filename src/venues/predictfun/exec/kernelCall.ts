// Calls of a Predict account, a Kernel smart wallet: its owner calls the wallet, and the wallet makes one call of its own, without value.
import { concat, decodeFunctionData, encodeFunctionData, numberToHex, parseAbi, slice, toFunctionSelector } from 'viem'
import type { PositionIntent } from '#schemas/executions'
import { intentOfCall } from '../../shared/exec/positionCalls.ts'
import type { Redemption } from '../../shared/exec/redemption.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'

const abi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)'])
const selector = toFunctionSelector(abi[0])
const once: Hex = `0x${'0'.repeat(64)}`
/** The address and the value before a call's own bytes. */
const headBytes = 20 + 32

/** As the wallet executes it. */
export function executed({ to, data }: Redemption): Hex {
  const call = concat([to.toLowerCase() as Hex, numberToHex(0, { size: 32 }), data])
  return encodeFunctionData({ abi, functionName: 'execute', args: [once, call] })
}

/** The call that an account makes; data that is none is returned as it is. Throws for bytes that cannot be read. */
export function innerCall(data: Hex): Hex {
  if (slice(data, 0, 4) !== selector) return data
  return slice(decodeFunctionData({ abi, data }).args[1], headBytes)
}

/** Of a call as it is sent. */
export function intentOf(data: Hex): PositionIntent | 'redeem' {
  try {
    return intentOfCall(innerCall(data))
  } catch {
    // What it redeems is read, and refused, later.
    return 'redeem'
  }
}

/** The wallet that holds the tokens; null: the owner itself. */
export const holderIn = ({ to, data }: Redemption): Hex | null => (slice(data, 0, 4) === selector ? to : null)
