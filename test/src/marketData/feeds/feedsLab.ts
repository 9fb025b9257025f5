// The feeds of a deployment over the lab of both, on a manual clock.
import { readConfig } from '#config'
import { type Clock, ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type FeedsLab, startFeedsLab } from '#lab/feeds/feeds'
import { type OpenFeeds, openFeeds } from '#roles/feeds'

export interface FeedsHere extends OpenFeeds {
  lab: FeedsLab
  close(): Promise<void>
}

export const feedSettings = ({ binance, chainlink }: Pick<FeedsLab, 'binance' | 'chainlink'>) => ({
  CROSSBOOK_FEEDS: 'true',
  CROSSBOOK_BINANCE_REST_URL: binance.urls.REST,
  CROSSBOOK_BINANCE_WS_URL: binance.urls.WS,
  CROSSBOOK_CHAINLINK_RPC_URL: `${chainlink.urls.RPC},${chainlink.urls.SPARE}`,
})

export async function openFeedsLab(
  { clock = new ManualClock(), log = silentLog }: { clock?: Clock; log?: typeof silentLog } = {},
  more: Readonly<Record<string, string>> = {},
): Promise<FeedsHere> {
  const lab = await startFeedsLab({ clock, seed: 'feeds' })
  const open = openFeeds(readConfig({ ...feedSettings(lab), ...more }), { clock, log })
  return {
    ...open,
    lab,
    async close() {
      await open.stop()
      await lab.stop()
    },
  }
}
