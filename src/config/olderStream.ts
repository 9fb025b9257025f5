// The older API family's socket. Dark by default: its clients can only give their key in the address, which proxies log.
import { family, flag } from './envReaders.ts'

export const olderStream = family({ CROSSBOOK_PMXT_SOCKET: flag(false) }, (value) => ({
  isServed: value.CROSSBOOK_PMXT_SOCKET,
}))
