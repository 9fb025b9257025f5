// The test lane as one whose orders are signed by their owner: what is sent needs no credential, so it can be kept and sent later.
import { z } from 'zod'
import { Secret } from '#lib/secret'
import { testLane } from '#test/support/execution/lane'
import type { ExecutionAdapter } from '#venues/lane'

export function signedLane(more: Partial<ExecutionAdapter> = {}): ExecutionAdapter {
  const lane = testLane(more)
  const { submit } = lane
  return {
    ...lane,
    submit: {
      ...submit!,
      body: z.strictObject({ signature: z.string() }),
      fields: ['signature'],
      // Kept with what was signed, as by the lanes of wallets.
      prepare: async (context, execution, sent) => {
        const prepared = await submit!.prepare(context, execution, sent)
        return { ...prepared, submittedArtifact: { ...prepared.submittedArtifact, ...(sent as { signature: string }) } }
      },
      relay: (context, execution, prepared, sent) =>
        submit!.relay(context, execution, prepared, {
          apiSecret: new Secret((sent as { signature: string }).signature),
        }),
    },
  }
}
