// History: whether it is served, and how many daily files are kept.
import { z } from 'zod'
import { builtVenues } from '#schemas/venues'
import { family, flag, list, whole } from './envReaders.ts'

const gigabyte = 1_000_000_000

export const history = family(
  {
    CROSSBOOK_HISTORY: flag(true),
    /** Venues whose books are taped at full depth: `all`, `none` or a comma-separated list. */
    CROSSBOOK_HISTORY_L2: z
      .string()
      .default('all')
      .transform((text, context) => (text.trim() === 'none' ? [] : list(builtVenues, text, context))),
    /** Days for which files are built and kept; 0: none. */
    CROSSBOOK_HISTORY_FILES_DAYS: whole(31, 0, 3_660),
    /** Total size, in gigabytes; the oldest are deleted first. */
    CROSSBOOK_HISTORY_FILES_GB: whole(20, 1, 1_000_000),
  },
  (value) => ({
    enabled: value.CROSSBOOK_HISTORY,
    depthVenues: value.CROSSBOOK_HISTORY_L2 as readonly string[],
    files: { days: value.CROSSBOOK_HISTORY_FILES_DAYS, bytesMax: value.CROSSBOOK_HISTORY_FILES_GB * gigabyte },
  }),
)
