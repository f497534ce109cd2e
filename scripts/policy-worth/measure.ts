import { gradeOpen } from '../../eval/benchmarks/needle/grade.ts'
import type { NeedleRecord } from '../../eval/benchmarks/needle/record.ts'
import { abstains } from '../../eval/judges/answer-text.ts'
import { type Graph, openGraph } from '../../graphs/index.ts'
import { Budget, type Question, type Turn } from '../../src/core/agent.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { PolicySettings, policyNames } from '../../src/core/settings.ts'
import type { Tool } from '../../src/core/tool.ts'
import { handMadeContext } from '../../tests/agent/hand-made-index.ts'
import { openTools } from '../../tools/index.ts'
import type { Story } from './story-index.ts'
import type { Weakness } from './weak-models.ts'

export interface Outcome {
  asked: number
  right: number // graded as right, or rightly answered that the video does not say
  wrong: number // an answer was given, and it was not right
  silent: number // the video answers it, and the agent said that it does not
  steps: number
  perStep: number[] // milliseconds of the processor of each run by its steps, the rules included
}

const allOff = PolicySettings.parse(Object.fromEntries(policyNames.map(name => [name, false])))
// Without budgets nothing but 64 rounds ends a run, which is not what is compared here.
export const noPolicies = { ...allOff, budgets: true, compaction: true }
export const allOn = PolicySettings.parse({})

// Every question of the stories, open and as multiple choice.
export async function measure(
  weak: Weakness,
  verifier: ChatModel,
  stories: readonly Story[],
  policy: PolicySettings,
  graphName = 'investigate',
): Promise<{ open: Outcome; choice: Outcome }> {
  const graph = await openGraph(graphName)
  const tools = await openTools([
    'overview',
    'search',
    'timeline',
    'transcribe',
    'read_text',
    'look',
    'listen',
    'verify_claim',
  ])
  const parts = { weak, verifier, policy, graph, tools }
  const open = empty()
  const choice = empty()
  for (const { index, records } of stories)
    for (const record of records) {
      if (record.kind === 'fact-picture') continue // needs eyes
      const turns = record.turns.map((turn): Turn => ({ question: { text: turn.question }, reference: turn.answer }))
      const plain = await run(parts, index, { text: record.question }, turns, open)
      count(open, gradeOpen(record, plain.text, plain.abstained).score, plain, record)
      const asked = { text: record.question, options: record.choices }
      const chosen = await run(parts, index, asked, turns, choice)
      const letter = chosen.choice === undefined ? '' : String.fromCharCode(65 + chosen.choice)
      count(choice, Number(letter === record.right_answer), { text: letter || 'none', abstained: false }, record)
    }
  return { open, choice }
}

interface Parts {
  weak: Weakness
  verifier: ChatModel
  policy: PolicySettings
  graph: Graph
  tools: Tool[]
}

async function run(parts: Parts, index: Story['index'], question: Question, turns: Turn[], outcome: Outcome) {
  const { weak, verifier, policy, graph, tools } = parts
  const began = process.cpuUsage()
  const state = await graph({
    question,
    turns,
    index,
    planner: weak.planner,
    writer: weak.writer,
    verifier,
    tools,
    context: handMadeContext(index, { verifier: async () => ({ by: verifier.id, service: verifier }) }),
    budget: Budget.parse({ steps: 12 }),
    policy,
    watch: () => {},
    signal: new AbortController().signal,
  })
  outcome.steps += state.steps.length
  const { user, system } = process.cpuUsage(began)
  outcome.perStep.push((user + system) / 1000 / Math.max(1, state.steps.length))
  if (!state.answer) throw new Error('The run ended without an answer.')
  return state.answer
}

function empty(): Outcome {
  return { asked: 0, right: 0, wrong: 0, silent: 0, steps: 0, perStep: [] }
}

function count(outcome: Outcome, score: number, given: { text: string; abstained: boolean }, record: NeedleRecord) {
  outcome.asked++
  if (score >= 0.99) outcome.right++
  else if (record.expect.form !== 'abstain' && abstains(given)) outcome.silent++
  else outcome.wrong++
}
