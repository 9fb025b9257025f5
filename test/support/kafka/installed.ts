// Whether this machine can start a Kafka: it needs Java, and Maven for the jars.
import { lacks } from '../required.ts'
import { isOnPath } from './java.ts'

/** Tests over Kafka are skipped where this is false. */
export const hasKafka = isOnPath('java') && isOnPath('mvn')
if (!hasKafka) lacks('kafka', 'Java or Maven is not installed')
