// Text of others (venues, callers) made safe to show: on a terminal a control character moves the cursor or changes colours, and a
// bidirectional override reorders what is read. Each is replaced by one visible character, so that columns stay aligned.

/**
 * C0 and C1 controls, DEL, bidirectional marks, embeddings, overrides and isolates, line and paragraph separators, invisible format characters
 * and tag characters. Not the joiners, which scripts and emoji need.
 */
const hazards = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

const hasHazard = new RegExp(hazards.source, 'u')

/** One line: a tab or line break becomes a space, every other hazard U+FFFD. The length stays the same. */
export const plainLine = (text: string): string =>
  hasHazard.test(text)
    ? text.replace(hazards, (found) =>
        found === '\t' || found === '\n' || found === '\r' ? ' ' : '\ufffd'.repeat(found.length),
      )
    : text

/** Line breaks and tabs are kept. */
export const plainText = (text: string): string => text.replace(/[^\n\t]+/g, plainLine)

/** JSON text with the same value: hazards are escaped. Only strings can contain them. */
export const plainJson = (json: string): string =>
  hasHazard.test(json) ? json.replace(hazards, (found) => (/[\t\n\r]/.test(found) ? found : escaped(found))) : json

const escaped = (found: string): string =>
  Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** For names that callers choose and operators read. */
export const isPlain = (text: string): boolean => !hasHazard.test(text)
