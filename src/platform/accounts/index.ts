// Accounts: what a key's owner can read about its own account.
export type { AccountsDeps, AccountsPort } from './ports.ts'
export { getAccount } from './routes/getAccount.ts'
export { getAccountUsage } from './routes/getAccountUsage.ts'
export { listAccountKeys } from './routes/listAccountKeys.ts'
