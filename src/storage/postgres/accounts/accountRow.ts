// An account as stored.

export interface AccountRow {
  id: string
  name: string
  created_at: Date
}
