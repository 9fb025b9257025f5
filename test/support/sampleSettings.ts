// Sample settings for a venue that publishes no values for them: the first valid sample.
import type { ExecutionAdapter } from '#venues/lane'

const samples = ['1', `0x${'5A'.repeat(20)}`]

export const sampleSettings = ({ settings = {} }: Pick<ExecutionAdapter, 'settings'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, { shape }]) => {
      const text = samples.find((sample) => shape.safeParse(sample).success)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
