// What a deposit into a paper account may be.
import type { PaperBalance } from '#schemas/paper'
import { venueCurrencies } from '#schemas/venues'

const currenciesOf: Readonly<Record<string, readonly string[] | null>> = venueCurrencies

export const depositVenues: readonly string[] = Object.keys(currenciesOf).sort()

/** Currencies of a venue, and those that the account has there; null: the one that the catalog does not name. */
export function currencyChoices(
  venue: string,
  balances: readonly Pick<PaperBalance, 'venue' | 'currency'>[],
): (string | null)[] {
  const held = balances.filter((balance) => balance.venue === venue).map(({ currency }) => currency)
  const known = currenciesOf[venue] ?? null
  return [...new Set([...(known ?? []), ...held, ...(known === null ? [null] : [])])]
}

/** As the server takes it. */
export const isDepositAmount = (text: string): boolean => /^\d{1,7}(\.\d{1,6})?$/.test(text) && Number(text) > 0

/** A name for one deposit, so that it is paid in once however often it is sent. Pages without TLS have no `randomUUID`. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
