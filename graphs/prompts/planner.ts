import type { EarlierTurn, PlanBrief } from '../../src/core/brief.ts'
import { answerTokens, type ChatRequest, type ToolCard, textContent } from '../../src/core/chat.ts'
import { longRowLine } from '../../src/core/evidence.ts'
import { type People, personLine } from '../../src/core/people.ts'
import { formatTime } from '../../src/core/time.ts'
import type { Coverage, Overview } from '../../src/core/video.ts'
import { dataRule, fence } from '../../src/core/words/fence.ts'
import { pendingMessages, type RunState } from '../state.ts'
import { coverageBlock, overviewBlock, questionBlock, stepsWithoutClock } from './blocks.ts'
import { conversationMessages } from './messages.ts'

// The planner of `investigate`, as messages for language models and as a brief for rules.

const plannerRules = `You collect evidence from a video so that a question about it can be answered. You do not see the video. Tools return rows of evidence; each row has an id and a time.
In one round, search with one to three different queries. Then examine the best moments more closely (read_text, transcribe, listen, look) with a focused question. Do not rely on the first hit. For counts and order, list everything. Do not repeat a call.
When the rows answer every part of the question, reply READY without calling a tool; another model writes the answer.
${dataRule}`

export interface PlanInput {
  state: RunState
  turns: EarlierTurn[]
  coverage: Coverage
  overview?: Overview
  people?: People
  round: number
  roundsLeft: number
  vision?: boolean // a model is there that looks at frames
  hints: string[]
  resultCharacters: number
  share: number // of the usual length
}

export function planRequest(input: PlanInput, tools: ToolCard[]): ChatRequest {
  const { state, round } = input
  const pending = pendingMessages(state.messages)
  const hints = [...pending.map(one => one.text), ...input.hints]
  // What the code said before a reply has had its effect.
  const messages = state.messages.filter(one => one.by === 'model' || pending.includes(one))
  const brief: PlanBrief = {
    kind: 'plan',
    question: state.question,
    duration: input.coverage.duration,
    turns: input.turns,
    coverage: input.coverage,
    overview: input.overview,
    tools: tools.map(tool => tool.name),
    round,
    roundsLeft: input.roundsLeft,
    steps: stepsWithoutClock(state.steps),
    evidence: state.evidence,
    hints,
    ...(input.vision && { vision: true }),
  }
  const characters = input.resultCharacters
  const lastLine = `Rounds left: ${input.roundsLeft}. Call tools, or reply READY when the evidence answers the question.`
  const chat = conversationMessages(
    { ...state, messages },
    {
      rules: plannerRules,
      opening: textContent(opening(input)),
      line: (row, step) => longRowLine(row, step.helper ? 0 : 600), // what a helper has read is in its findings
      characters: (calls, age) => resultLength(characters, age, calls),
      words: (text, age) =>
        characters >= usualLength ? text : text.slice(0, Math.max(200, (4 * characters) / Math.max(1, age - 2))),
      last: [...input.hints, lastLine].join('\n'),
    },
  )
  return {
    purpose: 'plan',
    messages: chat,
    tools,
    toolChoice: 'auto',
    temperature: 0.2,
    maxTokens: answerTokens.plan,
    brief,
  }
}

const usualLength = 12_000 // characters of the results of a round

// Old results are shortened first. Without compaction every result stands there whole.
function resultLength(characters: number, age: number, calls: number): number {
  if (characters === Number.POSITIVE_INFINITY) return characters
  const share = Math.min(1, characters / usualLength)
  return age <= 3 ? Math.max(1200 * share, characters / calls) : 600 * share
}

function opening(input: PlanInput): string {
  const { state, coverage, overview, people } = input
  const parts = [
    `The video is ${formatTime(coverage.duration)} long (${Math.round(coverage.duration)} seconds).`,
    coverageBlock(coverage),
    overview ? overviewBlock(overview, 12_000 * input.share) : '',
    people && people.people.length > 0 ? peopleBlock(people, input.share) : '',
    questionBlock(state, input.turns),
  ]
  return parts.filter(Boolean).join('\n\n')
}

const peopleShown = 30

// Who has a name first. Names were said or shown in the video.
function peopleBlock({ people }: People, share: number): string {
  const named = [...people].sort((a, b) => Number(b.names.length > 0) - Number(a.names.length > 0))
  const lines = named.slice(0, peopleShown).map(personLine).join('\n')
  return `People in the video, as far as the rows show:\n${fence('people', lines.slice(0, 4000 * share))}`
}
