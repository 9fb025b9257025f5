// The key and its account: rights, limits, credits, caps, and what was asked.
import type { Account, Usage } from '#schemas/account'
import { api } from '../lib/api.ts'
import { format, unknown } from '../lib/format.ts'
import { usePolled } from '../lib/hooks.ts'
import { Failure } from '../parts/Failure.tsx'

const everyMs = 5_000

export function AccountPage() {
  const account = usePolled('account', (signal) => api<Account>('/v1/account', {}, signal), everyMs)
  const usage = usePolled('usage', (signal) => api<Usage>('/v1/account/usage', {}, signal), everyMs)
  return (
    <>
      <h1>Account</h1>
      <Failure error={account.error} />
      <div class="grid">
        <section class="card half">
          <h2>This key</h2>
          {account.value === null ? <p class="quiet">Asking…</p> : <Rights account={account.value.data} />}
        </section>
        <section class="card half">
          <h2>Credits and caps</h2>
          {account.value === null ? <p class="quiet">Asking…</p> : <Money account={account.value.data} />}
        </section>
        <section class="card">
          <h2>What was asked</h2>
          <Failure error={usage.error} />
          {usage.value === null ? <p class="quiet">Asking…</p> : <Asked usage={usage.value.data} />}
        </section>
      </div>
    </>
  )
}

function Rights({ account: { name, plan, scopes, keyId, features, limits } }: { account: Account }) {
  const has = Object.keys(features).filter((feature) => features[feature])
  return (
    <dl class="facts">
      <dt>Account</dt>
      <dd>{name}</dd>
      <dt>Key</dt>
      <dd>{keyId}</dd>
      <dt>Plan</dt>
      <dd>{plan}</dd>
      <dt>May</dt>
      <dd>{scopes.join(', ')}</dd>
      <dt>Features</dt>
      <dd>{has.length === 0 ? 'none' : has.join(', ')}</dd>
      <dt>Requests a minute</dt>
      <dd>{format.count(limits.requestsPerMinute)}</dd>
      <dt>Streams</dt>
      <dd>
        {format.count(limits.streamConnections)}, with {format.count(limits.subscriptionsPerConnection)} subscriptions
        each
      </dd>
      <dt>History</dt>
      <dd>{limits.historyDays === null ? 'as far as there is any' : `${format.count(limits.historyDays)} days`}</dd>
    </dl>
  )
}

function Money({ account: { credits, spendCaps, limits } }: { account: Account }) {
  return (
    <dl class="facts">
      <dt>Balance</dt>
      <dd>{credits.unlimited ? 'not limited' : format.count(credits.balance)}</dd>
      <dt>Set aside by gateways</dt>
      <dd>{format.count(credits.leased)}</dd>
      <dt>Credits a month</dt>
      <dd>{limits.creditsPerMonth === null ? 'not limited' : format.count(limits.creditsPerMonth)}</dd>
      <dt>Given with the plan</dt>
      <dd>
        {credits.included === null
          ? unknown
          : `${format.count(credits.included.credits)} for ${credits.included.month}`}
      </dd>
      <dt>Spend caps</dt>
      <dd>
        {spendCaps.length === 0
          ? 'none'
          : spendCaps
              .map(({ scope, dailyUsd, reservedUsd }) => `${scope}: $${reservedUsd} of $${dailyUsd} today`)
              .join('; ')}
      </dd>
    </dl>
  )
}

function Asked({ usage: { from, to, total, lines } }: { usage: Usage }) {
  return (
    <>
      <p>
        {format.count(total.calls)} calls and {format.count(total.credits)} credits from {from} to {to}, of all keys.
      </p>
      <div class="list" tabIndex={0} role="region" aria-label="Calls by day and operation">
        <table>
          <thead>
            <tr>
              <th scope="col">Day, UTC</th>
              <th scope="col">Operation</th>
              <th scope="col" class="num">
                Calls
              </th>
              <th scope="col" class="num">
                Credits
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.toReversed().map(({ day, operationId, calls, credits }) => (
              <tr key={`${day} ${operationId}`}>
                <td>{day}</td>
                <td>{operationId}</td>
                <td class="num">{format.count(calls)}</td>
                <td class="num">{format.count(credits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {lines.length === 0 && <p class="quiet">None.</p>}
      </div>
    </>
  )
}
