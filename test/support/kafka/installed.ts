// Whether this machine can start a Kafka: it needs Java, and Maven for the jars.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lacks } from '../required.ts'

const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))

/** Tests over Kafka are skipped where this is false. */
export const hasKafka = isOnPath('java') && isOnPath('mvn')
if (!hasKafka) lacks('kafka', 'Java or Maven is not installed')
