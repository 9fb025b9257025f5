// Which accounts have changed since the last read: by a fill, a completed redemption or exchange of shares, or an import, whichever process wrote it.
import { isContractIntent } from '#schemas/executions'
import type { Pool } from '#storage/postgres/pool'
import { findLastImports } from '#storage/postgres/portfolio/lastImports'
import { Follower } from '../orders/follower.ts'

export class AccountChanges {
  private readonly pool: Pool
  private readonly follower: Follower
  /** Accounts of the previous read, each with its last import. */
  private followed: ReadonlyMap<string, string | null> = new Map()

  private constructor(pool: Pool, follower: Follower) {
    this.pool = pool
    this.follower = follower
  }

  static async start(pool: Pool): Promise<AccountChanges> {
    return new AccountChanges(pool, await Follower.start(pool))
  }

  /** Includes accounts that were not in the previous read: their changes since may have been skipped. */
  async read(accountIds: readonly string[]): Promise<string[]> {
    const imports = await findLastImports(this.pool, accountIds)
    // Last: if it fails, nothing that it found is lost.
    const changes = await this.follower.read(accountIds)
    const { followed } = this
    this.followed = new Map(accountIds.map((id) => [id, imports.get(id) ?? null]))
    if (changes.lost) return [...accountIds]
    const changed = new Set([
      ...changes.fills.map(({ account_id }) => account_id),
      ...changes.statuses.flatMap(({ account_id, intent, to_status }) =>
        isContractIntent(intent) && to_status === 'filled' ? [account_id] : [],
      ),
    ])
    return accountIds.filter(
      (id) => changed.has(id) || !followed.has(id) || followed.get(id) !== (imports.get(id) ?? null),
    )
  }
}
