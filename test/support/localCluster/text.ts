// What the command prints when everything runs.
import { dashboardLink } from '#lab/demoTerminal'
import type { RunningCluster } from './run.ts'

const line = (name: string, ...facts: string[]): string => `  ${name.padEnd(12)} ${facts.join('  ')}\n`

export function runningText(cluster: RunningCluster, dataDir: string): string {
  const { apiKey, brokers, clickhouseUrl, databaseUrl, environmentFile, gateways, labControl, processes } = cluster
  const { host: database } = new URL(databaseUrl)
  const simulated = labControl === null ? '' : ' Its venues are simulated: markets, prices and fills are made up.'
  return [
    `\nThe cluster is running, with its data in ${dataDir}.${simulated}\n\n`,
    line('Dashboard', dashboardLink({ ...gateways[0]!, apiKey })),
    line('API key', apiKey),
    ...gateways.map(({ url, stream }) => line('Gateway', url, stream)),
    ...(labControl === null ? [] : [line('Lab', labControl)]),
    '\n',
    line('PostgreSQL', database),
    line('ClickHouse', clickhouseUrl),
    line('Kafka', brokers.join(',')),
    ...processes.map(({ name, pid, operations, logFile }) =>
      line(name, `process ${pid}`, `${operations}/metrics`, logFile),
    ),
    '\n',
    'The dashboard link contains the key. Stop with Ctrl-C: everything ends, data and keys stay. One more gateway:\n\n',
    `  . ${environmentFile} && ROLES=gateway PORT=8090 DATA_DIR=${dataDir}/roles/another npm start\n`,
  ].join('')
}
