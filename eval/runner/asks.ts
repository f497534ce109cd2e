import type { Answer, Question } from '../../src/core/agent.ts'
import type { Sample } from '../../src/core/benchmark.ts'
import { mergeSpans, type Span } from '../../src/core/time.ts'
import { mostIntervals } from '../benchmarks/cg-bench/score.ts'
import { predictedIndex } from '../benchmarks/infinibench/prompt.ts'
import { choiceSkills } from '../benchmarks/infinibench/record.ts'
import { expectedOf } from './rubric.ts'

export interface Asked {
  answer: Answer
  steps?: readonly { tool: string; input?: unknown }[]
  evidence: readonly { id: string; span: Span }[] // the ledger
}

// One question to the agent, and how its answer becomes the raw replies of the tasks it serves.
export interface Ask {
  name: string
  video: string // as the sample names it, or the clip of its clues
  question: Question
  replies: Record<string, (asked: Asked) => string>
}

type Plan = (sample: Sample) => Ask[]

// A question with options serves choice and grounding at once: where an agent looked is what its answer cites.
const plans: Record<string, Plan> = {
  'cg-bench': sample => [
    ask('choice', sample, withOptions(sample), {
      long_acc: asked => fenced(letterOf(asked)),
      miou: asked => fenced(citedSpans(asked).map(({ start, end }) => [start, end])),
    }),
    ask('clue', { ...sample, video: `cg_clue_videos/${sample.id}.mp4` }, withOptions(sample), {
      clue_acc: asked => fenced(letterOf(asked)),
    }),
    ask('open', sample, withoutOptions(sample), { open: ({ answer }) => fenced(answer.text) }),
  ],
  'videoeval-pro': openAndChoice,
  needle: openAndChoice,
  infinibench: sample => [infiniBenchAsk(sample)],
  longshot: sample => [
    ask('answer', sample, withoutOptions(sample), { answer: ({ answer }) => answer.text, tools: calledTools }),
  ],
  allvb: sample => [
    ask('answer', sample, withOptions(sample), {
      answer: asked => `Best Answer: ${letterOf(asked) ?? asked.answer.text}`,
    }),
  ],
}

// Who is asked: the agent, or a model alone with the frames of the protocol, which gets each task as a request of its own.
export type AskedBy = 'agent' | 'model'

// What is asked about a sample, for the tasks that are wanted.
export function asksOf(benchmark: string, sample: Sample, tasks: ReadonlySet<string>, by: AskedBy = 'agent'): Ask[] {
  if (by === 'model')
    return [...tasks]
      .filter(task => concerns(task, sample))
      .map(task => ask(task, sample, sample.question, { [task]: ({ answer }) => answer.text }))
  const plan = plans[benchmark] ?? (one => [ask('answer', one, withOptions(one), { answer: letterOrText })])
  return plan(sample).flatMap(one => {
    const replies = Object.fromEntries(
      Object.entries(one.replies).filter(([task]) => tasks.has(task) && concerns(task, sample)),
    )
    return Object.keys(replies).length > 0 ? [{ ...one, replies }] : []
  })
}

// Only agentic turns ask for tools.
function concerns(task: string, sample: Sample): boolean {
  return task !== 'tools' || expectedOf(sample).length > 0
}

// The calls that an agent made on its way to the answer, in the form in which a model alone is asked for them.
function calledTools({ steps = [] }: Asked): string {
  const calls = steps.map(({ tool, input }) => ({ tool, parameters: input ?? {} }))
  return `\`\`\`json\n${JSON.stringify({ tool_calls: calls })}\n\`\`\``
}

// Where the answer's evidence lies, the longest first where there are more than a grounding reply may hold.
export function citedSpans({ answer, evidence }: Asked): Span[] {
  const cited = new Set(answer.sentences.flatMap(sentence => sentence.cites))
  const spans = mergeSpans(
    evidence.filter(row => cited.has(row.id)).map(row => row.span),
    1,
  )
  const kept = [...spans].sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, mostIntervals)
  return spans.filter(span => kept.includes(span))
}

function openAndChoice(sample: Sample): Ask[] {
  return [
    ask('open', sample, withoutOptions(sample), { open: ({ answer }) => answer.text }),
    ask('mcq', sample, withOptions(sample), { mcq: letterOrText }),
  ]
}

// Choices are answered by the option's number from 0, as prediction files hold it; '' is no prediction.
function infiniBenchAsk(sample: Sample): Ask {
  const { options } = sample.question
  if (!options || !choiceSkills.includes(sample.groups.skill))
    return ask('answer', sample, withoutOptions(sample), { answer: ({ answer }) => answer.text })
  return ask('answer', sample, withOptions(sample), {
    answer: ({ answer }) => String(answer.choice ?? predictedIndex(answer.text, options) ?? ''),
  })
}

function ask(name: string, { video }: Sample, question: Question, replies: Ask['replies']): Ask {
  return { name, video, question, replies }
}

function withOptions({ question }: Sample): Question {
  return question
}

function withoutOptions({ question: { text } }: Sample): Question {
  return { text }
}

function letterOf({ answer }: Asked): string | undefined {
  return answer.choice === undefined ? undefined : String.fromCharCode(65 + answer.choice)
}

function letterOrText(asked: Asked): string {
  return letterOf(asked) ?? asked.answer.text
}

// The form that CG-Bench's scorer reads first.
function fenced(result: unknown): string {
  return `\`\`\`json\n${JSON.stringify({ result: result ?? null })}\n\`\`\``
}
