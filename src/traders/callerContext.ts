// The account that a venue request is made for, available down to the HTTP request. Shared requests count for the first account.
import { AsyncLocalStorage } from 'node:async_hooks'

export const callerContext = new AsyncLocalStorage<string>()
