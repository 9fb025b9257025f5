// Events for webhooks, inserted in the transaction of the change that they report.
import type { StoredEvent } from '#schemas/webhookEvents/storedEvent'
import type { Queryable } from '../pool.ts'
import { prepared } from '../preparedStatements.ts'

export interface AccountEvent {
  accountId: string
  stored: StoredEvent
}

/** In this order. `at`: when the change was made, by the clock of its caller. */
export async function insertOutboxEvents(db: Queryable, events: readonly AccountEvent[], at: Date): Promise<void> {
  await db.query(
    statement([
      events.map(({ stored }) => stored.event),
      events.map(({ accountId }) => accountId),
      events.map(({ stored }) => JSON.stringify(stored.payload)),
      at,
    ]),
  )
}

const statement = prepared(
  `INSERT INTO outbox (event, account_id, payload, created_at)
   SELECT w.event, w.account_id, w.payload, $4::timestamptz
   FROM unnest($1::text[], $2::uuid[], $3::jsonb[]) WITH ORDINALITY AS w (event, account_id, payload, n) ORDER BY w.n`,
)
