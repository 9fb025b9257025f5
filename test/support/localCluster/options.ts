// The options of `npm run cluster`. Throws with advice for anything it cannot do.
import { parseArgs } from 'node:util'
import { type LabVenueName, readVenueNames } from '#lab/venues'

export const usage = `npm run cluster -- [options]

  --brokers 1|3   Kafka brokers (default 1; with 3, any one of them may die)
  --copies N      processes of every role, 1 to 8 (default 1)
  --lab           simulated venues on this machine instead of the real ones
  --venues LIST   which of them: a comma list, or all (default polymarket,kalshi)
  --help

PORT is the port of the first gateway (default 8080; further ones take the ports after it), DATA_DIR the folder of
everything (default .data/cluster, with --lab .data/cluster-lab). Every other variable of docs/configuration.md applies to all processes.
`

const copiesMax = 8

export interface ClusterOptions {
  brokers: 1 | 3
  copies: number
  /** Null: the real venues. */
  labVenues: readonly LabVenueName[] | null
  dataDir: string
  /** One for each gateway; 0 takes a free one. */
  gatewayPorts: readonly number[]
}

/** Null when only help was requested. */
export function readOptions(words: readonly string[], environment: NodeJS.ProcessEnv): ClusterOptions | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      brokers: { type: 'string', default: '1' },
      copies: { type: 'string', default: '1' },
      lab: { type: 'boolean', default: false },
      venues: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  if (values.brokers !== '1' && values.brokers !== '3')
    throw new Error(`--brokers must be 1 or 3, not ${values.brokers}`)
  const copies = wholeNumber('--copies', values.copies, 1, copiesMax)
  if (values.venues !== undefined && !values.lab)
    throw new Error('--venues chooses simulated venues and needs --lab; the variable VENUES chooses real ones')
  const port = wholeNumber('PORT', environment.PORT || '8080', 0, 65_536 - copies)
  return {
    brokers: values.brokers === '3' ? 3 : 1,
    copies,
    labVenues: values.lab ? readVenueNames(values.venues) : null,
    dataDir: environment.DATA_DIR || (values.lab ? '.data/cluster-lab' : '.data/cluster'),
    gatewayPorts: Array.from({ length: copies }, (_, i) => (port === 0 ? 0 : port + i)),
  }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new Error(`${name} must be a whole number from ${min} to ${max}, not ${text}`)
  return value
}
