import { describe, expect, test } from 'vitest'
import { wantsDetail } from '../../src/text/question/wants-detail.ts'
import { type AskMore, ask } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'
import { model, wordsOf } from './scripted-model.ts'

const news = handMadeIndex(museum)
const idOf = (words: RegExp) => news.evidence().find(row => words.test(row.text))?.id ?? ''
const [opens, ticket] = [idOf(/museum opens at/), idOf(/ticket costs/)]
const question = 'Describe the maritime museum.'
const alone: AskMore['policy'] = {
  ...{ lookBeforeAnswer: false, noveltyGuard: false },
}
const planner = () =>
  model((_, n) =>
    n === 0 ? { calls: [{ id: 'c', name: 'search', arguments: { query: 'museum opens', k: 2 } }] } : { text: 'READY' },
  )
const writer = () =>
  model(() => {
    const sentences = [
      { text: 'The museum opens at nine thirty every morning except monday.', cites: [opens] },
      { text: 'A ticket costs twelve dollars.', cites: [ticket] },
      { text: 'The roof was designed by a famous architect.', cites: [ticket] },
    ]
    return { text: JSON.stringify({ sentences, confidence: 0.8 }) }
  })
const verifier = () =>
  model(request => ({
    text: JSON.stringify({ verdict: /roof/.test(wordsOf(request)) ? 'unseen' : 'supported', reason: 'so' }),
  }))
const asking = (text: string, more: AskMore) =>
  ask(news, text, { planner: planner(), verifier: verifier(), policy: alone, ...more })

describe('the style of an answer', () => {
  const purposes = async (text: string, more: AskMore) => {
    const written = writer()
    await asking(text, { writer: written, ...more })
    return { words: wordsOf(written.requests.at(-1)) }
  }

  test('auto goes by the question', async () => {
    expect((await purposes('When does the museum open?', {})).words).not.toContain('Answer in full')
    expect(wantsDetail({ text: 'What is the video about?' })).toBe(true)
    expect(wantsDetail({ text: 'Explain why whales sing.' })).toBe(true)
    expect(wantsDetail({ text: 'Explain why whales sing.', options: ['a', 'b'] })).toBe(false)
    expect(wantsDetail({ text: 'How many beeps are heard?' })).toBe(false)
  })

  test('full and short are what is asked for, whatever the question', async () => {
    expect((await purposes('When does the museum open?', { style: 'full' })).words).toContain('Answer in full')
    expect((await purposes(question, {})).words).toContain('Answer in full')
    const short = await purposes(question, { style: 'short' })
    expect(short.words).toContain('one sentence, two at most')
  })

  test('changes nothing for rules', async () => {
    const heard: string[] = []
    const plain = async (style: AskMore['style']) => {
      const rules = model(request => {
        heard.push(`${request.purpose} ${wordsOf(request)}`)
        return { text: '{"sentences":[],"abstained":true}' }
      })
      await ask(news, question, { writer: { ...rules, accepts: new Set() }, style })
      return heard.splice(0)
    }
    const auto = await plain('auto')
    expect(await plain('full')).toEqual(auto)
    expect(await plain('short')).toEqual(auto)
  })
})
