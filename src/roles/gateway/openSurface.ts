// The arbitrage surface and the structures, as this gateway serves them.
import { CooperativeReads } from '#actors/arbitrage/cooperativeReads'
import { startSizedQueryClient } from '#actors/arbitrage/sizedQueryClient'
import { type StructureRelay, startStructureRelay } from '#actors/arbitrage/structureReplica'
import { startSurfaceRelay } from '#actors/arbitrage/surfaceReplica'
import type { SurfaceView } from '#arbitrage/surfaceView'
import { surfaceRowsMax } from '../computeRole.ts'
import type { GatewayRoleOptions } from './options.ts'

type Options = Pick<GatewayRoleOptions, 'config' | 'stores' | 'clock' | 'log'>

/** Null when structures are switched off. */
export const openStructures = async ({
  config,
  stores: { bus },
  clock,
  log,
}: Options): Promise<StructureRelay | null> =>
  config.arbitrage.enabled ? startStructureRelay({ bus, clock, log, memberId: config.gatewayId }) : null

/** The surface that compute processes publish over Kafka; null when it is switched off or no process could publish it. */
export async function openSurface({ config, stores, clock, log }: Options): Promise<SurfaceView | null> {
  const { enabled, intervalMs, contracts } = config.arbitrage
  if (!enabled || stores.busMode !== 'kafka') return null
  const relay = await startSurfaceRelay({ bus: stores.bus, clock, log, intervalMs, contracts, limit: surfaceRowsMax })
  const sizes = await startSizedQueryClient(stores.bus, clock, config.gatewayId)
  const { publication } = relay
  const reads = new CooperativeReads(clock)
  return {
    audience: relay,
    get contracts() {
      return publication.settings.contracts
    },
    rows: () =>
      relay.withheld
        ? null
        : { rows: publication.rows, computedAt: publication.computedAt ?? clock.now(), venuesLeftOut: null },
    run: (read) => reads.read(read),
    async rowsAt(size, query) {
      const rows = relay.withheld ? null : await sizes.fetchRows(size, query)
      return rows === null ? null : { rows, computedAt: clock.now() }
    },
    async stop() {
      reads.stop()
      await Promise.all([relay.stop(), sizes.stop()])
    },
  }
}
