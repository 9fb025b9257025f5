// CROSSBOOK_HISTORY_L2: the tape has the full depth of the named venues only, and the best prices of all.
import { expect, it } from 'vitest'
import { ask, eventually, StreamClient } from '#test/support/cluster/client'
import { withEngine } from '#test/support/engine'

const engine = withEngine({ env: { CROSSBOOK_HISTORY_L2: 'kalshi' } })

/** For a busy machine. */
const patience = 40_000

it(
  'records full depth of the named venue, and reports since when',
  async () => {
    const began = Date.now()
    const client = await StreamClient.open(engine.served)
    const rowsOf = async (venue: string, outcomeId: string, kind: string): Promise<number> => {
      const window = `since=${began - 60_000}&until=${Date.now()}`
      const path = `/v1/history/replay?venue=${venue}&outcomeId=${outcomeId}&kind=${kind}&${window}`
      const { status, text } = await ask(engine.served, path)
      expect(status, text.slice(0, 300)).toBe(200)
      return text.trimEnd().split('\n').length - 1
    }
    try {
      for (const [venue, isNamed] of [
        ['kalshi', true],
        ['polymarket', false],
      ] as const) {
        const market = engine.fresh(venue)
        client.subscribe(venue, market)
        await eventually(async () => expect(await rowsOf(venue, market, 'tob')).toBeGreaterThan(5), patience)
        // Its rows wait no longer than those of the tops.
        if (isNamed)
          await eventually(async () => expect(await rowsOf(venue, market, 'l2')).toBeGreaterThan(5), patience)
        else expect(await rowsOf(venue, market, 'l2')).toBe(0)
        const { body } = await ask(engine.served, `/v1/history/coverage?venue=${venue}&outcomeId=${market}`)
        const since = isNamed ? expect.any(String) : null
        expect(body.data).toMatchObject([{ tapeSince: expect.any(String), depthSince: since }])
      }
    } finally {
      client.close()
    }
  },
  4 * patience,
)
