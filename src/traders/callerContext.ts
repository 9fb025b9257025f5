// The account on whose behalf a venue is asked, available down to the request. Shared requests count for the first account.
import { AsyncLocalStorage } from 'node:async_hooks'

export const callerContext = new AsyncLocalStorage<string>()
