// An account as storage tells it.

export interface AccountRow {
  id: string
  name: string
  created_at: Date
}
