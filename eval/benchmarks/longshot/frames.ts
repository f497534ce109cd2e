import type { Turn } from '../../../src/core/agent.ts'
import { isObject } from '../../../src/core/json.ts'
import type { Sample } from '../../data/sample.ts'
import { evenFrameTimes, type FrameProtocol, type ShownPart } from '../../protocols/frames.ts'
import { blindText, sampledTimes } from '../../protocols/show.ts'
import { linesSaid, type SubtitleOptions, saidText } from '../../protocols/subtitles.ts'
import { ownTools } from './agentic/criteria.ts'
import type { Dict } from './python-error.ts'
import { expectedToolCalls, turnNumber } from './rubric.ts'
import { type IdealTurn, idealTurns, stripThinking } from './turns.ts'

type Options = SubtitleOptions & {
  frames: number | string
  mostFrames?: number
  trajectory?: 'ideal' | 'free' | 'none'
}

// The conversation so far with the reference answers, its own or none, the frames with its first turn. The released tools send the whole
// video file instead, which most servers do not take.
export const longshotFrames: FrameProtocol<unknown, Options> = {
  request(sample, task, media, options, own = []) {
    const timesOf = (count: number) => evenFrameTimes(media.duration, count)
    const times = sampledTimes(options, media, timesOf)
    const pictures = times.map((frame): ShownPart => ({ frame }))
    const speech = saidText(linesSaid(options, media, times, timesOf))
    const before: ShownPart[] = [
      ...(times.length === 0 && !media.native ? [{ text: blindText }] : pictures),
      ...(speech === '' ? [] : [{ text: speech }]),
    ]
    const history = buildHistory(sample, options.trajectory, own)
    const expected = expectedToolCalls(sample)
    // An agentic turn is asked twice: for the calls, and for the answer with what the expected calls return.
    const wordsOf = (text: string) =>
      task === 'tools' ? toolPrompt(text) : expected.length > 0 ? `${text}\n\n${resultsText(expected)}` : text
    return {
      turns: history.map(({ role, text, first }, place) => ({
        role,
        parts: [
          ...(first && role === 'user' ? before : []),
          { text: place === history.length - 1 ? wordsOf(text) : text },
        ],
      })),
      temperature: 0.1,
      maxTokens: 4096,
    }
  },
  read: reply => stripThinking(reply) ?? '',
}

function buildHistory(sample: Sample, trajectory: Options['trajectory'], own: readonly Turn[]): IdealTurn['history'] {
  const history = idealTurns(sample.record).find(({ index }) => index === turnNumber(sample))?.history ?? []
  if (trajectory === 'none') return history.slice(-1).map(turn => ({ ...turn, first: true }))
  if (trajectory !== 'free') return history
  const answers = own.values()
  return history.map(turn =>
    turn.role === 'user' ? turn : { ...turn, text: answers.next().value?.answer?.text ?? '' },
  )
}

// The first of the two calls of an agentic turn: which tools would be called. Our words in the released form.
function toolPrompt(question: string): string {
  return [
    'These tools can be used on the video. An input that ends in ? or [] may be left out; a timestamp is "minutes:seconds" or a range of two.',
    ownTools.map(({ name, inputs, description }) => `${name}(${inputs.join(', ')}): ${description}`).join('\n'),
    `Question: ${question}`,
    'Which calls does the question need, in their order, and no more than it needs? Reply with nothing but this:',
    '```json\n{"tool_calls": [{"tool": "name", "parameters": {"input": "value"}}], "reasoning": "why"}\n```',
  ].join('\n\n')
}

// The second call: what the expected calls return stands beside the question, whatever was called before.
export function resultsText(expected: readonly unknown[]): string {
  const lines = expected.filter(isObject).map((call: Dict) => {
    const parameters = JSON.stringify(call.parameters ?? {})
    return `${String(call.tool)}(${parameters}): ${String(call.expected_response ?? 'nothing')}`
  })
  return `What the tools returned:\n${lines.join('\n')}`
}
