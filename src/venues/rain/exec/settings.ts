// Who creates pools, and which code they may run. The second version's deployer has moved several times: the operator may name
// others.
import { getAddress } from 'viem'
import { z } from 'zod'
import type { LaneContext, LaneSetting } from '../../lane.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'

/** Of the second version, in production. https://github.com/UsamaShafique/rain-sdk-v2 (src/config/environments.ts) */
const officialDeployer: Hex = '0x38B3Ba1ee001E6785224E31b3031ae96CA06C677'

const shape = z
  .string()
  .regex(/^\s*0x[0-9a-fA-F]{40}\s*(,\s*0x[0-9a-fA-F]{40}\s*)*$/, 'must be addresses, with commas between')

export const settings = {
  /** In place of the official one. */
  DEPLOYERS: { shape },
  /**
   * Facets trusted in addition to those that a deployer names today: older pools keep the ones they were created with.
   */
  FACETS: { shape },
} as const satisfies Record<string, LaneSetting>

const listOf = (text: string | undefined): Hex[] | undefined =>
  text?.split(',').map((address) => getAddress(address.trim().toLowerCase()))

type Settings = Pick<LaneContext, 'settings'>
export const deployersOf = ({ settings: { DEPLOYERS } }: Settings): Hex[] => listOf(DEPLOYERS) ?? [officialDeployer]
export const facetsOf = ({ settings: { FACETS } }: Settings): Hex[] => listOf(FACETS) ?? []
