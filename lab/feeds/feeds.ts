// The lab's reference feeds: Binance and Chainlink over one price walk. They are not venues, but the control port treats them like venues.
import type { Clock } from '#core/clock'
import { type BinanceLab, startBinanceLab } from './binance.ts'
import { type ChainlinkLab, startChainlinkLab } from './chainlink.ts'
import { LabPrices } from './prices.ts'

export interface FeedsLab {
  prices: LabPrices
  binance: BinanceLab
  chainlink: ChainlinkLab
  stop(): Promise<void>
}

/** `ports`: of Binance and of the chain's node; 0 picks free ones. */
export async function startFeedsLab(
  options: { clock: Clock; seed: string },
  ports: readonly [number, number] = [0, 0],
): Promise<FeedsLab> {
  const prices = new LabPrices(options)
  const binance = await startBinanceLab({ ...options, prices, port: ports[0] })
  const chainlink = await startChainlinkLab({ ...options, prices, port: ports[1] })
  return {
    prices,
    binance,
    chainlink,
    async stop() {
      prices.stop()
      await Promise.all([binance.stop(), chainlink.stop()])
    },
  }
}
