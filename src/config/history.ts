// History: whether it is served, and how many files of whole days are kept.
import { family, flag, whole } from './readers.ts'

const gigabyte = 1_000_000_000

export const history = family(
  {
    CROSSBOOK_HISTORY: flag(true),
    /** Days of which files are made and kept; 0: none. */
    CROSSBOOK_HISTORY_FILES_DAYS: whole(31, 0, 3_660),
    /** All of them together, in gigabytes; the oldest go first. */
    CROSSBOOK_HISTORY_FILES_GB: whole(20, 1, 1_000_000),
  },
  (value) => ({
    enabled: value.CROSSBOOK_HISTORY,
    files: { days: value.CROSSBOOK_HISTORY_FILES_DAYS, bytesMax: value.CROSSBOOK_HISTORY_FILES_GB * gigabyte },
  }),
)
