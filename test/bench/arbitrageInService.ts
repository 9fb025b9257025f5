// The longest pause of the compute role in service, in a process started with the Node options of `npm start`.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programOptions } from '../support/programOptions.ts'
import type { Bench, BenchResult } from './bench.ts'

function run(): Promise<BenchResult[]> {
  const child = fork(fileURLToPath(new URL('./arbitrageInService.main.ts', import.meta.url)), [], {
    execArgv: [...programOptions],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (results) => resolve(results as BenchResult[]))
    child.once('exit', (code) => reject(new Error(`arbitrage.service ended with ${code} and without a result`)))
  })
}

export const benches: readonly Bench[] = [{ name: 'arbitrage.service', run }]
