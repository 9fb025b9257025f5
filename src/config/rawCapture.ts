// Raw capture: whether frames and answers of venues are kept as they came, of which venues, and how much of them.
import { z } from 'zod'
import { builtVenues, sandboxVenues } from '#schemas/venues'
import { family, list, whole } from './envReaders.ts'

const megabyte = 1_000_000
const minuteMs = 60_000

export const rawCapture = family(
  {
    /** Folder; absent: nothing is kept. */
    CROSSBOOK_RAW: z.string().min(1).optional(),
    /** Among those that are served. */
    CROSSBOOK_RAW_VENUES: z
      .string()
      .default('all')
      .transform((text, context) => list<string>(builtVenues, text, context, sandboxVenues)),
    /** Of all files in the folder, in gigabytes; the oldest are deleted first. */
    CROSSBOOK_RAW_GB: whole(10, 1, 1_000_000),
    /** Size and age at which a file is followed by the next one. */
    CROSSBOOK_RAW_FILE_MB: whole(64, 1, 1_000),
    CROSSBOOK_RAW_FILE_MINUTES: whole(60, 1, 1_440),
  },
  (value) =>
    value.CROSSBOOK_RAW === undefined
      ? undefined
      : {
          folder: value.CROSSBOOK_RAW,
          venues: value.CROSSBOOK_RAW_VENUES,
          totalBytes: value.CROSSBOOK_RAW_GB * 1_000 * megabyte,
          fileBytes: value.CROSSBOOK_RAW_FILE_MB * megabyte,
          fileMs: value.CROSSBOOK_RAW_FILE_MINUTES * minuteMs,
        },
)
