// The account: rights of the signed-in key, credits and caps, all keys, and usage by day and operation.
import { useState } from 'preact/hooks'
import type { Account, AccountKey, Usage } from '#schemas/account'
import { api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { Failure } from '../parts/ErrorMessage.tsx'
import { KeyTable } from '../parts/KeyTable.tsx'
import { UsageTable } from '../parts/UsageTable.tsx'

const everyMs = 5_000
const keysMax = 200

export function AccountPage() {
  const [keyId, setKeyId] = useState('')
  const account = usePolled('account', (signal) => api<Account>('/v1/account', {}, signal), everyMs)
  const keys = usePolled('keys', (signal) => api<AccountKey[]>('/v1/account/keys', { limit: keysMax }, signal), everyMs)
  const all = usePolled('usage', (signal) => api<Usage>('/v1/account/usage', {}, signal), everyMs)
  const filtered = usePolled(
    `usage of ${keyId}`,
    (signal) => api<Usage>('/v1/account/usage', { keyId }, signal),
    keyId === '' ? null : everyMs,
  )
  const usage = keyId === '' ? all : filtered
  const rows = keys.value?.data ?? []
  // Shown together: one loading later would move the other.
  const isKnown = [account, keys, all].every(({ value, error }) => value !== null || error !== null)
  if (!isKnown) {
    return (
      <>
        <h1>Keys and usage</h1>
        <p class="quiet">Loading…</p>
      </>
    )
  }
  return (
    <>
      <h1>Keys and usage</h1>
      <Failure error={account.error} isOverlay />
      <div class="grid account">
        <section class="card half" aria-label="Signed-in key">
          <h2>Signed-in key</h2>
          {account.value === null ? <p class="quiet">Loading…</p> : <Rights account={account.value.data} keys={rows} />}
        </section>
        <section class="card half" aria-label="Credits and caps">
          <h2>Credits and caps</h2>
          {account.value === null ? <p class="quiet">Loading…</p> : <Credits account={account.value.data} />}
        </section>
        <section class="card" aria-label="Keys">
          <h2>Keys</h2>
          <Failure error={keys.error} />
          <KeyTable
            keys={keys.value?.data ?? null}
            hasMore={typeof keys.value?.meta?.nextCursor === 'string'}
            usage={all.value?.data ?? null}
            signedIn={account.value?.data.keyId ?? null}
          />
        </section>
        <section class="card" aria-label="Usage">
          <h2>Usage</h2>
          <Failure error={usage.error} />
          <div class="filters">
            <label>
              Key
              <select value={keyId} onChange={({ currentTarget }) => setKeyId(currentTarget.value)}>
                <option value="">all keys</option>
                {rows.map((key) => (
                  <option key={key.keyId} value={key.keyId}>
                    {key.prefix}…
                  </option>
                ))}
              </select>
            </label>
          </div>
          <UsageTable usage={usage.value?.data ?? null} />
        </section>
      </div>
    </>
  )
}

function Rights({ account, keys }: { account: Account; keys: readonly AccountKey[] }) {
  const { name, plan, scopes, keyId, features, limits } = account
  const prefix = keys.find((key) => key.keyId === keyId)?.prefix
  const has = Object.keys(features).filter((feature) => features[feature])
  return (
    <dl class="facts">
      <dt>Account</dt>
      <dd>{name}</dd>
      <dt>Key</dt>
      <dd>{prefix === undefined ? unknown : <code>{prefix}…</code>}</dd>
      <dt>Key id</dt>
      <dd>{keyId}</dd>
      <dt>Plan</dt>
      <dd>{plan}</dd>
      <dt>Scopes</dt>
      <dd>{scopes.join(', ')}</dd>
      <dt>Features</dt>
      <dd>{has.length === 0 ? 'none' : has.join(', ')}</dd>
      <dt>Requests per minute</dt>
      <dd>{format.count(limits.requestsPerMinute)}</dd>
      <dt>Stream connections</dt>
      <dd>
        {format.count(limits.streamConnections)}, {format.count(limits.subscriptionsPerConnection)} subscriptions each
      </dd>
      <dt>History</dt>
      <dd>{limits.historyDays === null ? 'all of it' : `${format.count(limits.historyDays)} days`}</dd>
    </dl>
  )
}

function Credits({ account: { credits, spendCaps, limits } }: { account: Account }) {
  return (
    <dl class="facts">
      <dt>Balance</dt>
      <dd>{credits.unlimited ? 'unlimited' : format.count(credits.balance)}</dd>
      {!credits.unlimited && (
        <>
          <dt>Leased by gateways</dt>
          <dd>{format.count(credits.leased)}</dd>
        </>
      )}
      <dt>Credits per month</dt>
      <dd>{limits.creditsPerMonth === null ? 'unlimited' : format.count(limits.creditsPerMonth)}</dd>
      {credits.included !== null && (
        <>
          <dt>Included this month</dt>
          <dd>
            {format.count(credits.included.credits)} ({credits.included.month})
          </dd>
        </>
      )}
      <dt>Spend caps</dt>
      <dd>
        {spendCaps.length === 0
          ? 'none'
          : spendCaps
              .map(
                ({ scope, dailyUsd, reservedUsd }) =>
                  `${scope}: ${format.usd(Number(reservedUsd))} of ${format.usd(Number(dailyUsd))} used today`,
              )
              .join('; ')}
      </dd>
    </dl>
  )
}
