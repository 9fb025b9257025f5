// Rain's public reads, raw. Prices of a pool are on the chain: see chain.ts.
import type { HttpResponse } from '#net/http'
import { byOffset } from '../../shared/data/pages.ts'
import { read, readKnown } from '../../shared/data/rest.ts'
import { fieldOf } from '../../shared/data/rows.ts'
import type { VenueContext } from '../../venueContext.ts'
import { RainPoolAnswer, RainPools } from '../wire.ts'

/** The maximum is undocumented. */
const poolsPerPage = 50
const list = '/pools/public-pools'

export const poolPages = (context: VenueContext): AsyncIterable<unknown[]> =>
  byOffset(context, {
    list,
    limit: poolsPerPage,
    async read(offset, limit) {
      const { data } = await readKnown(context, { path: list, query: { limit, offset }, body: RainPools })
      return { rows: Array.isArray(data) ? data : data.pools }
    },
  })

/** Null when the venue does not know the contract, by its status or by an answer without a pool. */
export async function getPool(context: VenueContext, address: string) {
  const path = `/pools/poolByContractAddress/${encodeURIComponent(address)}`
  const body = await read(context, { path, body: RainPoolAnswer, isUnknown })
  return body?.data ?? null
}

const isUnknown = ({ status, body }: HttpResponse): boolean =>
  status === 404 || (status === 200 && fieldOf(body, 'data') === null)
