// The socket of the older API family. Dark unless told: its clients can give their key in the address alone, and addresses are written down
// by proxies.
import { family, flag } from './readers.ts'

export const olderStream = family({ CROSSBOOK_PMXT_SOCKET: flag(false) }, (value) => ({
  isServed: value.CROSSBOOK_PMXT_SOCKET,
}))
