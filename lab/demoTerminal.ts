// What the demo prints at a terminal: the progress of its start, then its addresses.
import { dashboardPath } from '#server/dashboard/paths'

export interface DemoAddresses {
  url: string
  stream: string
  apiKey: string
}

/** The link signs in by itself: the page reads the key, removes it from the address and keeps it for its tab. */
export const dashboardLink = ({ url, apiKey }: DemoAddresses): string =>
  `${url}${dashboardPath}#key=${encodeURIComponent(apiKey)}`

/** `warnings`: the number that the start did not print. */
export const banner = (addresses: DemoAddresses, warnings: number): string => `
Crossbook is running. Its venues are simulated: markets, prices and fills are made up.

  Dashboard   ${dashboardLink(addresses)}
  API         ${addresses.url}
  Stream      ${addresses.stream}
  API key     ${addresses.apiKey}

The dashboard link contains the key. Stop with Ctrl-C.
${warnings === 0 ? '' : `(${warnings} warnings while starting; \`npm run demo 2> demo.log\` writes the whole log.)\n`}`
