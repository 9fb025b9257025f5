// The lab's public reads, requested as in the documentation of the venue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { bookRow, childDetails, childRow, entryRow, parentDetails, parentRow } from '../../src/venues/pred/data/rows.ts'
import { getJson } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'reads', venues: ['pred'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const get = (path: string) => getJson(`${lab.pred.urls.REST}/api/v1${path}`)
const keys = (row: object | undefined) => Object.keys(row ?? {}).sort()
interface Discovery {
  data: { parent_markets_list: ReturnType<typeof entryRow>[]; total: number }
}
const discovered = async (query: string) =>
  ((await get(`/market-discovery/discover?verbose=true&${query}`)).body as unknown as Discovery).data

test('every row has the documented fields', async () => {
  const {
    parent_markets_list: [entry],
  } = await discovered('limit=1')
  expect(keys(entry)).toEqual(keys(entryRow()))
  expect(keys(entry!.parent_market_data)).toEqual(keys(parentRow()))
  expect(keys(entry!.fixture)).toEqual(keys(entryRow().fixture))
  expect(keys(entry!.markets[0])).toEqual(keys(childRow(1)))
  const parentId = entry!.parent_market_data.parent_market_id
  const { data } = (await get(`/market-discovery/parents/${parentId}`)).body as { data: Record<string, object> }
  expect(keys(data.parent_market_data)).toEqual(keys(parentDetails()))
  expect(keys((data.markets as object[])[0])).toEqual(keys(childDetails(1)))
  const book = await get(`/order/${parentId}/orderbook/${entry!.markets[0]!.market_id}`)
  expect(keys(book.body)).toEqual(keys(bookRow()))
})

test('pages by offset have every parent once, up to the total', async () => {
  const { total } = await discovered('limit=1')
  const seen: string[] = []
  for (let offset = 0; offset < total; offset += 7) {
    const { parent_markets_list: rows } = await discovered(`limit=7&offset=${offset}`)
    seen.push(...rows.map(({ parent_market_data: { parent_market_id: id } }) => id))
  }
  expect(seen).toEqual(lab.pred.listing.parents.map(({ id }) => id))
})

test('a book is in cents and shares, as deep as requested, and belongs to its parent', async () => {
  const [child] = lab.pred.listing.children
  const { parent, id } = child!
  const truth = lab.pred.book(`${parent.id}-${id}`)!
  const { bids } = (await get(`/order/${parent.id}/orderbook/${id}?depth=2`)).body as unknown as ReturnType<
    typeof bookRow
  >
  expect(bids.map(({ price, size }) => [Number(price) * 10_000, Number(size)])).toEqual(truth.bids.slice(0, 2))
  const stranger = lab.pred.listing.parents.at(-1)!
  expect(await get(`/order/${stranger.id}/orderbook/${id}`)).toMatchObject({ status: 404, body: { success: false } })
})
