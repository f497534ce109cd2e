import { weighTerm } from '../word-similarity.ts'
import { isStopWord, type Token, tokens } from '../words.ts'

// What a question is about: its telling words, names and quoted phrases before others.
export interface Topic {
  words: string // as one would type them into a search
  terms: Term[]
  quoted: string[]
}

export interface Term extends Token {
  weight: number
}

export const noTopic: Topic = { words: '', terms: [], quoted: [] }

export function parseTopic(text: string): Topic {
  const quoted = quotesIn(text)
  const questionTokens = tokens(text)
  const terms: Term[] = []
  for (const [i, token] of questionTokens.entries()) {
    const inQuote = quoted.some(quote => within(text, quote, token))
    if (!inQuote && (isStopWord(token.text) || frameWords.has(token.stem) || isPronounOne(text, token))) continue
    if (terms.some(term => term.stem === token.stem)) continue
    const surface = text.slice(token.start, token.end)
    const name = i > 0 && /^\p{Lu}/u.test(surface)
    const weight = weighTerm(token) * (name ? 1.8 : 1) * (inQuote ? 1.3 : 1)
    const light = isStopWord(token.text) ? 0.3 : lightWords.has(token.stem) ? 0.4 : 1
    terms.push({ ...token, weight: weight * light })
  }
  const words = terms.map(term => text.slice(term.start, term.end)).join(' ')
  return { words, terms, quoted }
}

// What stands between quotation marks. A single quote counts only where it is not an apostrophe.
export function quotesIn(text: string): string[] {
  const marks = [/["“”„«»]([^"“”„«»]{1,200})["“”«»]/g, /(?<![\p{L}\p{N}])['‘]([^'‘’]{2,200})['’](?![\p{L}\p{N}])/gu]
  return marks
    .flatMap(mark => [...text.matchAll(mark)].map(match => match[1]!.trim()))
    .filter(quote => /[\p{L}\p{N}]/u.test(quote))
}

function within(text: string, quote: string, token: Token): boolean {
  const at = text.indexOf(quote)
  return at >= 0 && token.start >= at && token.end <= at + quote.length
}

// "one" in "which one", not the number.
function isPronounOne(text: string, token: Token): boolean {
  return (
    token.text === '1' &&
    /^ones?$/i.test(text.slice(token.start, token.end)) &&
    /\b(which|this|that|first|last|next|each|the|other|no|any|every|some|should|does|can|must|would|may) ones?\b/i.test(
      text,
    )
  )
}

// Words that are part of most questions and of few answers.
const lightWords = new Set(
  tokens(
    'go going get make like away need want take put use look new good also way kind try let keep certain present topic subject question answer option content people person main exactly currently today main usually cover covered treat treated often able suppose',
  ).map(token => token.stem),
)

// Words that say how a thing is found in a video, not what it is.
export const frameWords = new Set(
  tokens(
    `video clip film movie recording footage say tell mention speak talk discuss state announce hear show appear display see visible shown read written write
    word words phrase sentence line lines text screen onscreen slide slides sign signs caption captions sound sounds noise speaker narrator voice someone somebody anyone anybody
    something anything thing things moment point time times timestamp part happen happens occur come comes follow following precede right immediately directly
    during while first last next previous second order sequence many much often number kind type according audio picture image frame frames shot shots scene scenes
    play played playing start end beginning many there exactly really actually content contain contains describe explain give given ask talk
    summarise summarize summary overview correct following statement true false heard aloud spoken presenter total list listed lists title titles heading headings headline according lecture presentation episode ask asks third fourth fifth sixth seventh eighth ninth tenth separate distinct different times`,
  ).map(token => token.stem),
)
