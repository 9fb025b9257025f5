// Reports of the background jobs of this process: sent when they change, and again from time to time, for gateways that have just started.
import type { Clock } from '#core/clock'
import { type JobReport, jobReportMs } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'

export interface JobReports {
  report(report: JobReport): void
  stop(): void
}

export function sendJobReports(bus: Pick<Bus, 'publish'>, clock: Clock): JobReports {
  const latest = new Map<string, JobReport>()
  const send = (key: string, report: JobReport): void => bus.publish('jobReports', key, report)
  const repeating = clock.every(jobReportMs, () => {
    for (const [key, report] of latest) send(key, report)
  })
  return {
    report(report) {
      const key = `${report.job}:${report.venue ?? ''}`
      latest.set(key, report)
      send(key, report)
    },
    stop: () => repeating.cancel(),
  }
}
