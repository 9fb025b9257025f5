// The API key: in this page's memory; a key that came with the link is kept for the tab as well.
import { signal } from '@preact/signals'
import { forgetKey } from './linkKey.ts'

export const apiKey = signal<string | null>(null)
/** Why the session ended; null: no error. */
export const signOutReason = signal<string | null>(null)

/** A key from the link is being checked. */
export const isSigningIn = signal(false)

/** Lab venues replace the real ones. Known before the first page is shown. */
export const isLab = signal(false)

export function signOut(because: string | null): void {
  forgetKey()
  apiKey.value = null
  signOutReason.value = because
}

/** Since when the server has not answered, epoch ms; null: its latest response came in time. The pages show the state as of then. */
export const offlineSince = signal<number | null>(null)
let answeredAt = Date.now()

export function recordResponse(): void {
  answeredAt = Date.now()
  offlineSince.value = null
}

export function recordTimeout(): void {
  offlineSince.value ??= answeredAt
}
