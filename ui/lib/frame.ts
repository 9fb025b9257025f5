import type { z } from 'zod'
import type { ServerFrame } from '#schemas/streamFrames'

/** A frame of the stream. */
export type Frame = z.infer<typeof ServerFrame>
