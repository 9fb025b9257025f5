// A process that leases, spends, settles a part of it and then waits to be killed:
//
//   node holder.main.ts <postgres url> <account id> <key id> <lease ttl ms> <settled> <unsettled>
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { CreditMeter } from '#platform/credits/meter'
import { createCreditStore } from '#storage/postgres/credits/store'
import { createPool } from '#storage/postgres/pool'
import { plans, spend } from './support.ts'

const [url, accountId, keyId, ttl, settled, unsettled] = process.argv.slice(2)
const meter = new CreditMeter({
  store: createCreditStore(createPool({ url: url!, log: silentLog })),
  plans,
  clock: systemClock,
  log: silentLog,
  leaseTtlMs: Number(ttl),
  // Only once this file says so.
  settleEveryMs: 3_600_000,
})
const principal = { accountId: accountId!, keyId: keyId!, plan: 'free', scopes: ['read'] } as const
for (let i = 0; i < Number(settled); i++) await spend(meter, principal)
await meter.settle()
for (let i = 0; i < Number(unsettled); i++) await spend(meter, principal)
process.stdout.write('spent\n')
