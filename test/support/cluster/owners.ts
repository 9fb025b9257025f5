// Which ingest process feeds which venue, read from the database as an operator would.
import { silentLog } from '#core/log'
import { createPool } from '#storage/postgres/pool'

export interface VenueHolder {
  pid: number
  epoch: number
}

/** Venue → the process that feeds it; venues without one are left out. */
export async function venueHolders(databaseUrl: string): Promise<Map<string, VenueHolder>> {
  const pool = createPool({ url: databaseUrl, log: silentLog })
  try {
    const { rows } = await pool.query<{ venue: string; holder: string; epoch: string }>(
      "SELECT venue, holder, epoch FROM venue_leases WHERE holder <> '' AND expires_at > clock_timestamp()",
    )
    // Process names contain their pid.
    return new Map(
      rows.map(({ venue, holder, epoch }) => [venue, { pid: Number(holder.split('-')[1]), epoch: Number(epoch) }]),
    )
  } finally {
    await pool.end()
  }
}
