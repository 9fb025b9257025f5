// Answers that name no person or thing: an event's remainder ("Other"), and names that are yet to be given ("Person A"). Their meaning
// depends on their event, so that those of two events are never one question.

/** `rest`: the event's remainder, or a part of it. `placeholder`: a name that is yet to be given. */
export type Unnamed = 'rest' | 'placeholder'

/** Generic words for items of a list. "Party" and "company" are not included: a person without a party is not another party. */
const whatever =
  '(?:person|people|individual|candidate|nominee|contender|entrant|contestant|team|club|country|nation|state|city|player|driver|golfer|rider|fighter|athlete|film|movie|show|song|album|title|artist|model|name|option|outcome|answer|result|choice|entry)s?'
const otherPerson = '(?:some|any)(?:one|body) else'

/** The entire remainder, in words that do not narrow it. */
const wholeRest = `(?:${otherPerson}|(?:any |some )?other ${whatever}|another ${whatever}|any other|(?:an |any )?unlisted ${whatever}|none of (?:the above|these|those)(?: ${whatever})?)`
const wholeLabel = new RegExp(
  `^(?:others?|neither|(?:the )?field|${wholeRest})(?: \\((?:${wholeRest}|not listed|none of the above)\\))?$`,
  'i',
)
/** In a sentence. */
export const wholePhrase = new RegExp(`\\b(?:${wholeRest}|the field)\\b`, 'i')

const restLabel =
  /^(?:(?:any|some|all|the) )?others?\b|\b(?:some|any)(?:one|body|thing) else\b|^(?:another|unlisted|neither|none of (?:the|these|those))\b|^(?:the )?field$/i
const restHead = new RegExp(`^(?:will )?(?:${wholeRest}|the field)\\b`, 'i')

const standIn =
  'person|individual|candidate|nominee|contestant|player|driver|team|club|party|company|country|film|movie|show|song|album|artist|actor|actress|model|option|outcome|placeholder'
const heldLabel = new RegExp(`^(?:${standIn}) (?:[A-Z]{1,2}|\\d{1,2})$`, 'i')
const heldPhrase = new RegExp(
  `\\b(?:${standIn.replace(/(?<=^|\|)\w/g, (letter) => letter.toUpperCase())}) [A-Z]\\b(?!\\.| \\p{Lu})`,
  'u',
)

/** By the label if there is one; a sentence says so at its beginning. */
export function placeholderIndex(label: string, text: string): Unnamed | null {
  if (label === '') return restHead.test(text) ? 'rest' : heldPhrase.test(text) ? 'placeholder' : null
  return heldLabel.test(label) ? 'placeholder' : restLabel.test(label) ? 'rest' : null
}

/** The remainder is everything not listed, not a part of it ("Other Democrat", "Other renewables"). */
export const isComplete = (label: string, text: string): boolean =>
  label === '' ? restHead.test(text) : wholeLabel.test(label)

/** "None of the above" comes true if no listed answer does. */
export const hasNoSubject = (label: string): boolean => /^(?:none of (?:the|these|those)|neither)\b/i.test(label)

const noWinner = /^(?:no one|nobody|none|no (?:winner|nominee|agreement|deal|answer|champion|award|change of \S+))$/i
export const isPlaceholderName = (label: string): boolean => noWinner.test(label)

export const listedPhrase = new RegExp(
  `\\b(?:${otherPerson}|(?:any|an?|another|some)(?: other)? ${whatever}|none of the(?: ${whatever})?|not one of the(?: ${whatever})?|(?:any(?:one|body)|some(?:one|body)))(?: (?:that|who|which))?(?: (?:is|are|was|were))?(?: (?:other than (?:those|the ${whatever})|not))?(?: (?:explicitly|specifically|otherwise|already))? (?:listed|named|mentioned|included)\\b(?! (?:who|that|which|from|belonging|representing)\\b)`,
  'i',
)
