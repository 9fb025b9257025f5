// The test adapter as one whose orders are signed by their owner: no credentials are needed, so the artifact can be stored and sent later.
import { z } from 'zod'
import { Secret } from '#core/secret'
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
      // Stored with the signature, as by adapters of wallets.
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
