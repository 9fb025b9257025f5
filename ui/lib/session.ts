// The API key: in this page's memory; one that came with the link is kept for the tab as well.
import { signal } from '@preact/signals'
import { forgetKey } from './linkKey.ts'

export const apiKey = signal<string | null>(null)
/** Why the key was put away; null: nothing was wrong. */
export const signedOutBecause = signal<string | null>(null)

/** A key from the link is being checked. */
export const isSigningIn = signal(false)

/** Lab venues stand in for the real ones. Known before the first page is shown. */
export const isLab = signal(false)

export function signOut(because: string | null): void {
  forgetKey()
  apiKey.value = null
  signedOutBecause.value = because
}

/** Since when the server has not answered, epoch ms; null: its newest answer came in time. What pages show is as of then. */
export const silentSince = signal<number | null>(null)
let answeredAt = Date.now()

export function noteAnswer(): void {
  answeredAt = Date.now()
  silentSince.value = null
}

export function noteSilence(): void {
  silentSince.value ??= answeredAt
}
