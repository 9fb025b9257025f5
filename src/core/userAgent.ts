// What identifies this program to venues. Hosts behind a content delivery network refuse requests without it.
import { version } from '#core/version'

/** `crossbook/0.3.0 (+https://example.com)`; without a contact address the program and its version alone. */
export const formatUserAgent = (contactUrl?: string): string =>
  contactUrl === undefined ? `crossbook/${version}` : `crossbook/${version} (+${contactUrl})`
