import type { z } from 'zod'
import type { ServerFrame } from '#schemas/streamFrames'

/** What the stream sends. */
export type Frame = z.infer<typeof ServerFrame>
