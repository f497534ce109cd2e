import { isNone } from '../../../src/text/option.ts'
import { noTopic, parseTopic, type Topic } from '../../../src/text/question/topic.ts'
import { tokens } from '../../../src/text/words.ts'
import { isAll } from './options/fixed.ts'

// The distinguishing words of each option, without those that all share.
export function optionTopics(given: readonly string[]): Topic[] {
  const options = given.map(bare)
  const shared = sharedStems(options)
  return options.map(option => {
    if (isNone(option) || isAll(option)) return noTopic
    const topic = parseTopic(option)
    const terms = topic.terms.filter(term => !shared.includes(term.stem))
    if (terms.length > 0) return { ...topic, terms, words: terms.map(term => term.text).join(' ') }
    const plain = tokens(option)
      .filter(token => !shared.includes(token.stem))
      .map(token => ({ ...token, weight: 1 }))
    return plain.length > 0 ? { words: plain.map(term => term.text).join(' '), terms: plain, quoted: [] } : noTopic
  })
}

// The words that all options share: they do not distinguish options but show where to look ("Line 12", "Line 31").
export function sharedTopic(given: readonly string[]): Topic {
  const options = given.map(bare).filter(option => !isNone(option) && !isAll(option))
  if (options.length < 2) return noTopic
  const shared = sharedStems(options)
  const topic = parseTopic(options[0] ?? '')
  return { ...topic, terms: topic.terms.filter(term => shared.includes(term.stem)) }
}

function sharedStems(options: readonly string[]): string[] {
  const [first, ...others] = options
    .filter(option => !isNone(option))
    .map(option => new Set(tokens(option).map(token => token.stem)))
  return first && others.length > 0 ? [...first].filter(stem => others.every(set => set.has(stem))) : []
}

// Without its letter: "B) Paris" is "Paris".
export function bare(option: string): string {
  return option.replace(/^\s*\(?(?:[A-Ja-j]|\d)[).:]\s+/, '').trim()
}
