// Conditional orders, and the keys that seal what is fired from here.
import { family, flag, words } from './envReaders.ts'

export const conditional = family(
  {
    /** The routes of conditional orders, and everything that triggers them. */
    CROSSBOOK_CONDITIONAL: flag(false),
    /** Orders armed in hosted mode are stored, sealed, and fired from here. */
    CROSSBOOK_CONDITIONAL_HOSTED: flag(true),
    /** Keys that seal their signed artifacts, `<id>:<32 bytes in base64>` each, newest first; defaults to a file in the data directory. */
    CROSSBOOK_CONDITIONAL_KEYS: words(
      /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=$/,
      'must be <id>:<32 bytes in base64>, the newest first',
    ),
  },
  (value) => ({
    enabled: value.CROSSBOOK_CONDITIONAL,
    hosted: value.CROSSBOOK_CONDITIONAL_HOSTED,
    keys: value.CROSSBOOK_CONDITIONAL_KEYS,
  }),
)
