import { capitalised, nameForm } from './name-form.ts'
import { splitSentences, withCapitals } from './sentences.ts'

// Whom a speaker says to be. Whatever may be a quotation, a part that is played, or somebody else is left out.

interface SelfNaming {
  name: string
  words: string // the sentence that says it
}

// Lines right before and after, by whomever.
interface Around {
  before?: string
  after?: string
}

export function namesOfSelf(line: string, { before = '', after = '' }: Around = {}): SelfNaming[] {
  const text = withCapitals(line)
  const sentences = splitSentences(text)
  return sentences.flatMap((sentence, at) => {
    if (at === 0 && (opensQuotation.test(before) || saidByAnother.test(before))) return []
    if (at === sentences.length - 1 && closesQuotation.test(after)) return []
    if (/[♪♫]/.test(line) || isQuoted(sentences.slice(0, at).join(' '), sentence)) return []
    const showing = pointsAt.test(sentences[at - 1] ?? before) || tellsOf.test(sentences[at + 1] ?? after)
    const names = [...ofFirstPerson(sentence), ...(showing ? [] : ofThisIs(sentence))]
    return names.map(name => ({ name, words: sentence }))
  })
}

// Names that a speaker says in the first person and that are not taken for the speaker's own: who once says a name for somebody else may
// do so again, as interpreters and actors do.
export function namesOfOthers(line: string): string[] {
  const ownNames = namesOfSelf(line).map(({ name }) => name)
  return namesInFirstPerson(line).filter(name => !ownNames.includes(name))
}

// Every name after "I'm" and "my name is", whoever's it is.
export function namesInFirstPerson(line: string): string[] {
  return firstPerson.flatMap(({ pattern }) => namesBy(pattern, line))
}

function namesBy(pattern: RegExp, line: string): string[] {
  return [...withCapitals(line).matchAll(pattern)].flatMap(([, name = '']) => nameForm(name)?.name ?? [])
}

// Whom somebody is to play: "You be Diane and I'll be Bob".
export function namesPlayed(line: string): string[] {
  return namesBy(played, line)
}

const played = new RegExp(
  String.raw`\b(?:[Yy]ou|I['’]ll|I will|[Ll]et me)\s+(?:be|play|act as|pretend to be)\s+(${capitalised})`,
  'gu',
)

// Whom a speaker says not to be: "I'm not Diane", "This is not Diane".
export function namesDenied(line: string): string[] {
  return namesBy(denied, line)
}

const denied = new RegExp(String.raw`(?:\b[Nn]ot|n['’]t)\s+(?:called\s+|named\s+|really\s+)?(${capitalised})`, 'gu')

const firstPerson = [
  { pattern: new RegExp(String.raw`\b[Mm]y (?:full |own )?[Nn]ame(?: is|['’]s)\s+(${capitalised})`, 'gu'), said: true },
  { pattern: new RegExp(String.raw`\bI(?: am|['’]m)\s+(${capitalised})`, 'gu'), said: false },
]

function ofFirstPerson(sentence: string): string[] {
  return firstPerson.flatMap(({ pattern, said }) =>
    [...sentence.matchAll(pattern)].flatMap(match => {
      const form = nameForm(match[1] ?? '')
      const rest = sentence.slice(match.index + match[0].length)
      if (!form || doubtfulBefore.test(sentence.slice(0, match.index))) return []
      if (doubtfulAfter.test(rest) || ofSeveral.test(rest)) return []
      // "I'm Legend": what follows "I'm" is most often no name.
      return said || form.given !== 'unknown' || form.words > 1 ? [form.name] : []
    }),
  )
}

const greetings =
  /^(?:(?:hi|hello|hey|oh|okay|ok|well|yes|yeah|um|uh|so|there|good|morning|evening|afternoon|day|everybody|everyone|all|again)[\s,]+)*/i
const thisIs = new RegExp(
  String.raw`^[Tt]his is\s+(${capitalised}?)(?:\s+in\s+(?:${capitalised})(?:,\s+\p{Lu}\p{L}+)?(?=[.!]*$|,?\s+(?:and\s+)?(?:I|I['’]m|over to|back to)\b)|,?\s+(?:speaking|calling|reporting|signing off)(?=[.,!]*$|,|\s+(?:from|for|live|with)\b))`,
  'u',
)

// "This is Diane in New Jersey" says who is speaking, as on the telephone; "This is Diane" may show somebody.
function ofThisIs(sentence: string): string[] {
  const form = nameForm(thisIs.exec(sentence.replace(greetings, ''))?.[1] ?? '')
  return form && form.given !== 'unknown' ? [form.name] : []
}

const telling =
  'said|says|say|saying|told|tells?|telling|asked|asks?|goes|went|writes?|wrote|written|reads?|reading|replie[sd]|answer(?:s|ed)|shout(?:s|ed)|whisper(?:s|ed)|thinks?|thought|believe[sd]?|claim(?:s|ed|ing)?|called|quotes?|hears?|heard'

const doubtfulBefore = new RegExp(
  String.raw`\b(?:${telling}|like|that|if|imagine|pretend(?:s|ing|ed)?|suppose|whether|wish|not|never|sign|line|character|role|part|impressions?|imitat\w+|impersonat\w+|examples?|instance|story|novel|film|movie|letter|joke|apparently|supposedly|play(?:s|ing|ed)?|sing(?:s|ing)?|sang|song|dream(?:s|t|ed)?|maybe|perhaps|when|until|unless|though|because|whenever)\b|n['’]t\b`,
  'i',
)
const doubtfulAfter = new RegExp(
  [
    "^['’]",
    String.raw`^\s*(?:or\b|,?\s*not\b|(?:,\s*)?(?:right|correct|okay)?\s*\?)`,
    String.raw`^\s+in\s+(?:the|this|that|an?|my|our|your|his|her|their)\b`,
    String.raw`^[\s-]+(?:fans?|obsessed|lovers?|mad|themed|style|impersonators?|lookalikes?|doubles?)\b`,
    String.raw`^\s+for\s+(?:today|tonight|now|the|an?|halloween)\b`,
    String.raw`\b(?:${telling}|pretend(?:s|ing|ed)?)\b`,
  ].join('|'),
  'i',
)
const ofSeveral = /^\s+and\s+\p{Lu}\p{L}*(?:\s+\p{Lu}\p{L}*)?['’]s\b/u // "I'm Diane and Bob's friend"

const opensQuotation = new RegExp(
  String.raw`(?:\b(?:${telling}|like|that|told (?:me|him|her|us|them|you)|answered)|[:])\s*[,:"“'‘–-]*\s*$|“[^”]*$|^[^"]*"(?:[^"]*"[^"]*")*[^"]*$`,
  'i',
)
// What the line before makes of this one: a letter, a sentence that is repeated or reported, or translated words.
const saidByAnother = new RegExp(
  [
    String.raw`^\s*dear\s+\p{L}+`,
    String.raw`\b(?:repeat|say)\s+(?:it\s+)?(?:after|with) me\b`,
    String.raw`\bwhat\b(?![^?]*\byour name\b)[^?]*\b(?:say|said|tell|told|write|wrote|written|read|reads|answer|answered|reply|replied)\b[^?]*\?\s*$`,
    String.raw`\b(?:ich hei(?:ß|ss)e|ich bin|mein name ist|je m['’]appelle|je suis|me llamo|mi nombre es|yo soy|mi chiamo|io sono|(?:o )?meu nome é)\s`,
  ].join('|'),
  'iu',
)
const pointsAt = /\b(?:photo(?:graph)?s?|pictures?|images?|slides?|portraits?|video|footage|look at|see)\b/i
const tellsOf = /^\W*(?:he|she|they|his|her|their|it)\b/i

const closesQuotation =
  /^\W*(?:(?:he|she|they|somebody|someone)\s+)?(?:said|says|told|replied|answered|shouted|whispered|wrote)\b/i

// Inside of quotation marks, that this sentence or one before it has opened.
function isQuoted(before: string, sentence: string): boolean {
  const at = sentence.search(/\b(?:I(?: am|['’]m)|[Mm]y|[Tt]his is)\b/)
  const text = `${before} ${sentence.slice(0, Math.max(0, at))}`
  const opened = (text.match(/“/g)?.length ?? 0) > (text.match(/”/g)?.length ?? 0)
  const straight = (text.match(/"/g)?.length ?? 0) % 2 === 1
  return opened || straight || /(?:^|[\s,:])['‘][^'’]*$/.test(text)
}
