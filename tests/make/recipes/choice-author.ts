import { type AskedFor, sentences } from './own-video.ts'

// Drafts of a number in a sentence; a question is kept unless it says "discard"; what a glance sees is told by the question.
export function choiceAuthor({ schema, text }: AskedFor): string {
  if (schema === 'triplet') return JSON.stringify(triplet(text))
  if (schema === 'right') return JSON.stringify({ right: [letterOf(text, numberAsked(text))] })
  if (schema === 'keep') return JSON.stringify({ keep: !text.includes('discard') })
  if (schema === 'score') return JSON.stringify({ score: text.includes('open-easy') ? 9 : 2 })
  return text.includes('choice-easy') ? letterOf(text, 'the truth') : letterOf(text, 'a lie')
}

function letterOf(text: string, option: string): string {
  return new RegExp(`^([A-Z])\\. .*${option}`, 'm').exec(text)?.[1] ?? 'I cannot tell.'
}

function triplet(text: string) {
  const asked = /<data questions>([\s\S]*?)<\/data>/.exec(text)?.[1] ?? ''
  const numbered = sentences.filter(sentence => /\d/.test(sentence) && !asked.includes(lastWords(sentence)))
  const [sentence = ''] = numbered
  const row = text.split('\n').find(one => one.includes(sentence)) ?? ''
  const answer = /\d+/.exec(sentence)?.[0] ?? ''
  const negatives = [3, 5, 7, 11].map(by => String(Number(answer) + by * 2))
  return {
    question: `Which number is said of "${lastWords(sentence)}"?`,
    ...{ answer, negatives, rows: [row.split(' ')[0] ?? ''] },
  }
}

function numberAsked(text: string): string {
  const words = /said of "(.*?)"/.exec(text)?.[1] ?? '-'
  return /\d+/.exec(sentences.find(sentence => sentence.endsWith(words)) ?? '')?.[0] ?? '-'
}

function lastWords(sentence: string): string {
  return sentence.split(' ').slice(-3).join(' ')
}
