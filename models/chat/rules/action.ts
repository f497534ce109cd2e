import { givenNames, wordyNames } from '../../../src/text/people/given-names.ts'
import { capitalised, splitPersonName } from '../../../src/text/people/name-form.ts'
import { withCapitals } from '../../../src/text/people/sentences.ts'
import { parseTopic, type Topic } from '../../../src/text/question/topic.ts'
import { isStopWord, type Token, tokens } from '../../../src/text/words.ts'
import { withoutClothes } from './people/looks.ts'

// What somebody does, apart from who it is: "take the lamp" of "Why does Barbara Harrison take the lamp?"
export interface QuestionAction {
  topic: Topic
  names: string[] // as the question gives them
  byClothes: boolean // the question knows the person by what is worn
}

export function parseAction(question: string): QuestionAction {
  const plain = withoutClothes(question)
  const names = namesAsked(plain)
  const rest = names.reduce(
    (text, name) => text.replace(`${name}'s`, ' ').replace(`${name}’s`, ' ').replace(name, ' '),
    plain,
  )
  return { topic: parseTopic(rest), names, byClothes: plain !== question }
}

// Whole names of people in a question; its first word is capitalised whatever it is.
export function namesAsked(question: string): string[] {
  const [start = ''] = /^\W*\S+\s*/.exec(question) ?? []
  return [...question.slice(start.length).matchAll(new RegExp(capitalised, 'gu'))]
    .map(([name]) => name.replace(/['’]s$/, ''))
    .filter(name => tokens(name).some(isGivenName))
}

// Names in a line of speech or text, which may have no capitals; "Then Laura" is Laura.
export function namesSaid(line: string): string[] {
  return namesAsked(`said ${withCapitals(line)}`).map(name => {
    if (isGivenName({ text: splitPersonName(name)[0] ?? '' })) return name
    const words = name.split(/\s+/)
    return words.slice(words.findIndex(word => tokens(word).some(isGivenName))).join(' ')
  })
}

export function isGivenName({ text }: Pick<Token, 'text'>): boolean {
  return !isStopWord(text) && (givenNames.has(text) || wordyNames.has(text))
}
