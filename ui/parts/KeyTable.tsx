import type { AccountKey, Usage } from '#schemas/account'
import { format, unknown } from '../lib/format.ts'

interface Options {
  /** Newest first; null: not loaded yet. */
  keys: readonly AccountKey[] | null
  /** There are older ones. */
  hasMore: boolean
  usage: Usage | null
  /** Id of the key that this page uses. */
  signedIn: string | null
}

/** The account's keys, each by its first characters. */
export function KeyTable({ keys, hasMore, usage, signedIn }: Options) {
  return (
    <div class="list keys" tabIndex={0} role="region" aria-label="Keys of the account">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col">Plan</th>
            <th scope="col">Scopes</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Revoked</th>
            <th scope="col" class="num">
              Calls, 30 d
            </th>
            <th scope="col" class="num">
              Credits, 30 d
            </th>
          </tr>
        </thead>
        <tbody>
          {keys?.map((key) => (
            <KeyRow key={key.keyId} row={key} usage={usage} isSignedIn={key.keyId === signedIn} />
          ))}
        </tbody>
      </table>
      {keys === null && <p class="quiet">Loading…</p>}
      {hasMore && <p class="quiet">Only the newest {keys?.length} keys are shown.</p>}
    </div>
  )
}

function KeyRow({ row, usage, isSignedIn }: { row: AccountKey; usage: Usage | null; isSignedIn: boolean }) {
  const { keyId, prefix, plan, scopes, live, createdAt, lastUsedDay, revokedAt } = row
  // A key without calls has no row there.
  const used = usage === null ? null : (usage.byKey.find((each) => each.keyId === keyId) ?? { calls: 0, credits: 0 })
  return (
    <tr>
      <th scope="row">
        <code title={keyId}>{prefix}…</code> {isSignedIn && <span class="badge">signed in</span>}
      </th>
      <td>
        <span class={`badge ${live ? (revokedAt === null ? 'good' : 'warn') : 'bad'}`}>
          {live ? (revokedAt === null ? 'active' : 'ending') : 'revoked'}
        </span>
      </td>
      <td>{plan}</td>
      <td>{scopes.join(', ')}</td>
      <td>{format.date(createdAt)}</td>
      <td>{lastUsedDay === null ? 'never' : format.day(lastUsedDay)}</td>
      <td>{revokedAt === null ? unknown : format.moment(revokedAt)}</td>
      <td class="num">{format.count(used?.calls)}</td>
      <td class="num">{format.count(used?.credits)}</td>
    </tr>
  )
}
