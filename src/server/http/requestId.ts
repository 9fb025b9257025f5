// Identifies a request for the caller and the log. An unguessable prefix per process, then a counter: a random id each would cost more
// than the routing.
import { randomBytes } from 'node:crypto'

export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(12).toString('base64url')}_`
  let count = 0
  return () => prefix + (count++).toString(36)
}
