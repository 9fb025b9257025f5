// The rain-specific part of its node: which calls are orders, and which logs report executions.
import type { LabChain } from '../chain/chain.ts'
import type { PricedNodeOptions } from '../chain/pricedRpcNode.ts'

export const nodeOf = (chain: LabChain): PricedNodeOptions => ({
  chain,
  chainId: 42_161,
  /** placeBuyOrder, placeSellOrder, enterOption, sellOption. */
  ordering: ['0xf3e41a90', '0x7fed5233', '0xa2489000', '0x25f44ecb'],
  /** ExecuteBuyOrder, ExecuteSellOrder. */
  filling: [
    '0x3198e27c469596550d0d17d7708bf7c5fc0dc680acf4f249934972e7743d9254',
    '0x98cf7679174e1ca8f8773baa42121b08a804515a4655c198b2b9817139b2eae7',
  ],
})
