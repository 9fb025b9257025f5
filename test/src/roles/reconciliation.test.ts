import { expect, it } from 'vitest'
import { z } from 'zod'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { Secret } from '#core/secret'
import { CredentialBreaker } from '#orders/executions/index'
import type { RunningLanes } from '#roles/lanes'
import { openReconciliation, type ReconciliationOptions } from '#roles/reconciliation'
import { defineHoldings, type Holdings } from '#venues/holdings'
import type { ExecutionAdapter, LaneContext } from '#venues/lane'
import { lanes } from '#venues/registry'
import { CredentialRefusal } from '#venues/shared/exec/mapReadError'

const caller = { accountId: 'a', signal: new AbortController().signal }
const nothing: Holdings = { positions: [], isComplete: true, balances: [], asOf: 1 }

/** Armed lanes, as they run; neither the database nor the catalog is read here. */
function open(
  armed: readonly ExecutionAdapter[],
  urls: Record<string, string> = {},
  unarmed = new Map<string, string>(),
) {
  const clock = new ManualClock()
  const context = () => ({ urls }) as unknown as LaneContext
  const running: Pick<RunningLanes, 'known' | 'armed' | 'unarmed' | 'status'> = {
    known: [...new Map([...Object.values(lanes), ...armed].map((lane) => [lane.slug, lane])).values()],
    armed: new Map(armed.map((lane) => [lane.slug as string, { lane, context }])),
    unarmed,
    status: new Map(),
  }
  return openReconciliation({
    lanes: running as RunningLanes,
    breaker: new CredentialBreaker(clock),
    clock,
    log: silentLog,
  } as unknown as ReconciliationOptions)
}

it('reads the armed venues whose lanes read accounts, and says why not the others', () => {
  const { venues, unsupported } = open([lanes.kalshi, lanes.rain], {}, new Map([['gemini', 'off by default']]))
  expect([...venues.keys()]).toEqual(['kalshi'])
  expect(unsupported.get('gemini')).toBe('its lane is not armed: off by default')
  expect(unsupported.get('rain')).toContain('one pool at a time')
  expect(unsupported.get('xo')).toBe('it documents no read of accounts')
  expect(unsupported.get('sxbet')).toContain('stakes')
})

it('stops sending credentials that the venue refuses again and again', async () => {
  let reads = 0
  const holdings = defineHoldings<null, { key: Secret }>({
    source: 'venue_api',
    credentials: z.strictObject({ key: z.string().transform((text) => new Secret(text)) }),
    costStep: '1',
    async read(_context, _account, { key }) {
      reads++
      if (key.reveal() === 'good') return nothing
      throw new CredentialRefusal('VENUE_CREDENTIAL_REJECTED', 'kalshi rejected the key')
    },
  })
  const kalshi = open([{ ...lanes.kalshi, holdings }]).venues.get('kalshi')!
  const bad = { key: new Secret('bad') }
  for (let i = 0; i < 5; i++) {
    await expect(kalshi.read(caller, null, bad)).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_REJECTED' })
  }
  await expect(kalshi.read(caller, null, bad)).rejects.toMatchObject({ code: 'VENUE_CREDENTIAL_BREAKER_OPEN' })
  expect(reads).toBe(5)
  expect(await kalshi.read(caller, null, { key: new Secret('good') })).toEqual(nothing)
})

it('reads a chain only at a node', async () => {
  const holdings = defineHoldings({ source: 'chain', costStep: '1', read: async () => nothing })
  const lane = { ...lanes.kalshi, holdings }
  await expect(open([lane]).venues.get('kalshi')!.read(caller, null, null)).rejects.toMatchObject({
    code: 'NOT_SUPPORTED',
  })
  expect(await open([lane], { RPC: 'http://127.0.0.1' }).venues.get('kalshi')!.read(caller, null, null)).toEqual(
    nothing,
  )
})
