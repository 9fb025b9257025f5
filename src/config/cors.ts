// Which web pages may read answers. None by default: keys belong to programs and to the page that is served here.
import { family, words } from './envReaders.ts'

const origin = /^(\*|https?:\/\/[A-Za-z0-9.-]{1,253}(:\d{1,5})?|https?:\/\/\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?)$/

export const cors = family(
  {
    /** Origins (`https://app.example.com`), comma-separated, or `*` for every page. */
    CROSSBOOK_CORS_ORIGINS: words(origin, 'must be origins (https://app.example.com, without a path), or *'),
  },
  (value) => ({ origins: value.CROSSBOOK_CORS_ORIGINS }),
)
