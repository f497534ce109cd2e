import type { ChatBody } from '../../servers/chat-server.ts'
import { type AskedFor, askedFor, sentences } from './own-video.ts'

interface Odd {
  said?: number // of the sentences, the first so many
  scenarios?: number
  level?: number // of every question, whatever is wanted
  mute?: string // of a question that it cannot answer
}

// An author of LongShOT's stages that keeps to what the record says: every question is about one sentence.
export function longshotAuthor({ said = sentences.length, scenarios = 2, level: own, mute = '\0' }: Odd = {}) {
  const { questionOf, sentenceOf, segmentOf } = aboutThe(sentences.slice(0, said))
  let told = 0
  const asked: string[] = []
  const replies: Record<string, (request: AskedFor) => unknown> = {
    seen: ({ pictures }) => ({ description: `A black picture, ${pictures} times.` }),
    heard: ({ sounds }) => ({ description: sounds.some(isLoud) ? 'A tone rings.' : 'Nothing is heard.' }),
    ...Object.fromEntries(
      ['seen-aligned', 'heard-aligned'].map(name => [
        name,
        ({ text }: AskedFor) => ({ description: `Again: ${/<data description>\s*(.*)/.exec(text)?.[1]}` }),
      ]),
    ),
    fused: ({ text }) => {
      const said = /<data said>\n?([\s\S]*?)\n?<\/data>/.exec(text)?.[1]?.trim() ?? ''
      return { multimodal_description: `Somebody says: ${said}` }
    },
    events: ({ text }) => ({ key_events: [/Somebody says: (.*)/.exec(text)?.[1] || 'Nobody speaks.'] }),
    summary: () => ({ summary: 'Somebody tells of a mill.', categories: ['History'] }),
    scenarios: () => ({
      scenarios: ['the river', 'the school', 'the tower'].slice(0, scenarios).map(place => ({
        scenario: `A visitor wants to know what happened at ${place}.`,
        tasks: ['information_retrieval', 'event_understanding'],
      })),
    }),
    types: () => ({
      scenario: 'as given',
      tasks: ['information_retrieval', 'event_understanding'].map(task => ({ task, question_types: ['direct_fact'] })),
    }),
    questions: ({ text }) => {
      const level = own ?? Number(/Wanted difficulty[^:]*: (\d)/.exec(text)?.[1])
      const isRound = text.includes('"multi_turn_questions" is empty')
      const turn = (conversation_role?: string) => ({
        ...{ question: questionOf(told), difficulty: level, modalities: ['speech', 'visual'] },
        ...{ key_segments: [segmentOf(text, told++)], ...(conversation_role && { conversation_role }) },
      })
      return {
        single_turn_questions: [turn()],
        multi_turn_questions: isRound ? [] : [[turn('opener'), turn('deepener')]],
      }
    },
    answers: ({ text }) => {
      const question = /<data question>\n?([\s\S]*?)\n?<\/data>/.exec(text)?.[1]?.trim() ?? ''
      if (question.includes(mute)) return { question: 'Another?', answer: 'No.' }
      return { question, answer: `${sentenceOf(question)}.` }
    },
    dialogues: ({ text }) => {
      const tool = /tool of this dialogue: (\w+)/.exec(text)?.[1] ?? ''
      const inputs = new RegExp(`^${tool}\\(([^)]*)\\)`, 'm').exec(text)?.[1]?.split(', ') ?? []
      const turn = (conversation_role: string) => {
        const at = told++ % said
        const calls = [{ tool, ...callOf(inputs, at) }]
        const key_segments = [segmentOf(text, at)]
        return {
          question: questionOf(at),
          difficulty: 2,
          modalities: ['speech'],
          key_segments,
          conversation_role,
          calls,
        }
      }
      const turns = told % 2 === 0 ? [turn('opener'), turn('deepener')] : [turn('opener')]
      return { scenario: 'A visitor looks up what they tell of the village.', turns: told > 14 ? [] : turns }
    },
    rubric: ({ text }) => {
      const answer = /<data answer>\n?([\s\S]*?)\.?\n?<\/data>/.exec(text)?.[1]?.trim() ?? ''
      const fact = { name: 'factual_correctness', description: `Must mention that ${answer}` }
      return {
        criteria: [
          { ...fact, category: 'high_priority', is_penalty: false },
          { name: 'entity_error', description: 'whatever', category: 'penalty', is_penalty: true },
        ],
      }
    },
  }
  return {
    asked,
    reply(body: ChatBody) {
      const request = askedFor(body)
      asked.push(request.schema)
      return { content: JSON.stringify(replies[request.schema]?.(request)) }
    },
  }
}

// Of 16 bits.
function isLoud(wav: Buffer): boolean {
  for (let at = 44; at + 1 < wav.length; at += 2) if (Math.abs(wav.readInt16LE(at)) > 3000) return true
  return false
}

function aboutThe(sentences: readonly string[]) {
  const count = sentences.length
  // Names the sentence by its last three words; every sentence can be asked for twice.
  const questionOf = (at: number) => {
    const words = sentences[at % count]?.split(' ').slice(-3).join(' ')
    return `What ${at < count ? '' : 'else '}do they tell of "${words}"?`
  }
  const sentenceOf = (question: string) =>
    sentences.find((_, at) => [at, at + count].some(one => questionOf(one) === question))
  const segmentOf = (text: string, at: number) => {
    const lines = text.split('\n').filter(line => /^\d+\. \d/.test(line))
    return Number.parseInt(lines.find(line => line.includes(sentences[at % count] ?? '\0')) ?? '-1', 10)
  }
  return { questionOf, sentenceOf, segmentOf }
}

const values: Record<string, string> = { expression: '340 + 1200', categories: 'sacks, crowns', k: '5' }

// A call that takes all that its tool needs, about one sentence, which is all that it returns.
function callOf(inputs: readonly string[], at: number) {
  const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const timestamp = `${clock(2 + 9 * at)}-${clock(8 + 9 * at)}`
  const names = inputs.filter(input => !input.endsWith('?')).map(input => input.replace('[]', ''))
  const parameters = names.map(name => ({ name, value: name === 'timestamp' ? timestamp : (values[name] ?? 'en') }))
  return { parameters, response: JSON.stringify({ text: sentences[at] }) }
}
