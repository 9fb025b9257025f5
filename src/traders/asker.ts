// For whose account a venue is being asked, known all the way down to the request. What several ask together is asked by the first of them.
import { AsyncLocalStorage } from 'node:async_hooks'

export const asker = new AsyncLocalStorage<string>()
