import { isStopWord, tokens } from './words.ts'

// The numbers and names of a sentence that stand in none of the texts it rests on, as the sentence writes them.
export function findUngrounded(sentence: string, texts: readonly string[]): string[] {
  const textTokens = tokens(texts.join('\n'))
  const stems = new Set(textTokens.map(token => token.stem))
  const numbers = new Set(textTokens.filter(token => startsWithDigit(token.text)).map(token => numberIn(token.text)))
  const strangeNumbers = tokens(sentence)
    .filter(({ text }) => startsWithDigit(text) && !numbers.has(numberIn(text)))
    .map(({ start, end }) => sentence.slice(start, end))
    .filter(written => !counted.test(written))
  const strangeNames = namesIn(sentence).filter(name => tokens(name).some(token => !stems.has(token.stem)))
  return [...new Set([...strangeNumbers, ...strangeNames])]
}

// "one of the guests" states no number.
const counted = /^(?:one|first)$/i

function startsWithDigit(text: string): boolean {
  return /^\d/.test(text)
}

// 3 of "3rd", 1920 of "1920s".
function numberIn(text: string): string {
  return text.replace(/(?<=\d)(?:st|nd|rd|th|s)$/, '')
}

interface Written {
  word: string
  opens: boolean // it opens a sentence, where any word has a capital
  next: string
}

function namesIn(sentence: string): string[] {
  const names = capitalised(sentence).filter(one => !isPlain(one))
  // In German every noun has a capital: only two of them in a row are surely a name.
  if (!writesGerman(sentence)) return names.map(({ word }) => word)
  return names
    .filter(({ word, next }) => isCapital(next) || names.some(other => other.next === word))
    .map(one => one.word)
}

function capitalised(sentence: string): Written[] {
  const words = [...sentence.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu)]
  return words.flatMap(({ 0: word, index }, at) => {
    const opens = at === 0 || /[.!?:;"“«»]["“«'(]*$/.test(sentence.slice(0, index).trimEnd())
    return isCapital(word) ? [{ word, opens, next: words[at + 1]?.[0] ?? '' }] : []
  })
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word)
}

// Not a name, whatever its capital: "I", and the words that open sentences. What opens an English sentence and is followed by a verb is
// its subject without an article, which is a name unless it ends as a plural or a gerund does.
function isPlain({ word, opens, next }: Written): boolean {
  const lower = word.toLowerCase().replace(/['’].*$/, '')
  if (lower === 'i') return true
  if (!opens || isCapital(next)) return opens && isOpener(lower)
  if (isOpener(lower) || lower.endsWith('ing')) return true
  if (/(?:[^su]s|ly)$/.test(lower)) return !isSingularVerb(next)
  return !isSingularVerb(next) && !isPastVerb(next)
}

function isOpener(lower: string): boolean {
  return isStopWord(lower) || openers.has(lower) || german.has(lower)
}

const openers = new Set(
  `people someone somebody everyone everybody nobody nothing something everything meanwhile next finally after before during while
  several because although though however together inside outside since once until men women children man woman narrator speaker host
  viewers viewer scene video clip chapter text music sound part half most throughout between behind near beside above below across
  around along today despite without within following soon now also through against unlike like instead afterwards eventually later
  earlier again two three four five six seven eight nine ten still music applause laughter silence`.split(/\s+/),
)

function isSingularVerb(word: string): boolean {
  return (
    /^(?:is|was|has|does)$|[^su]s$/.test(word) && !/^(?:its|this|his|hers|ours|yours|theirs|always|perhaps)$/.test(word)
  )
}

function isPastVerb(word: string): boolean {
  return /[a-z]{2}ed$|^(?:said|told|spoke|went|left|came|began|wrote|built|made|took|gave|held|met|saw|sat|stood|ran|found)$/.test(
    word,
  )
}

function writesGerman(sentence: string): boolean {
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? []
  return words.filter(word => german.has(word)).length >= 2
}

const german = new Set(
  'der die das den dem des und ist nicht ein eine einen einem einer mit auf für von zu im am sich sie wird sind als aus bei nach'.split(
    ' ',
  ),
)
