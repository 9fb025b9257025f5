// The funding bridge, and the operator's project at its provider.
import { z } from 'zod'
import { family, flag, webUrl } from './envReaders.ts'

const printable = (most: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${most}}$`), 'must be printable and without spaces')

export const bridge = family(
  {
    /** The routes of the funding bridge. */
    CROSSBOOK_BRIDGE: flag(false),
    CROSSBOOK_GLIDE_URL: webUrl.default('https://api.paywithglide.xyz'),
    /** Of the operator's project at the bridge's provider. */
    CROSSBOOK_GLIDE_PROJECT_ID: printable(200).optional(),
    CROSSBOOK_GLIDE_API_KEY: printable(500).optional(),
  },
  (value) => ({
    enabled: value.CROSSBOOK_BRIDGE,
    url: value.CROSSBOOK_GLIDE_URL.replace(/\/+$/, ''),
    projectId: value.CROSSBOOK_GLIDE_PROJECT_ID,
    apiKey: value.CROSSBOOK_GLIDE_API_KEY,
  }),
)
