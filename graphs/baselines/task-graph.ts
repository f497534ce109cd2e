import { z } from 'zod'
import type { Step } from '../../src/core/agent.ts'
import { buildCalls, closerCalls } from '../../src/core/calls/kinds.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { byTime, type Evidence } from '../../src/core/evidence.ts'
import { clampSpan, type Span } from '../../src/core/time.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'
import { concludeAnswer } from '../answer/conclude-answer.ts'
import { modelMessage } from '../conversation/ask.ts'
import { runCalls } from '../nodes/act.ts'
import { taskGraphRules } from '../prompts/baselines.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { answerDraft, baselineGraph, findPlan, planJson, questionQueries, writeOnce } from './baseline.ts'

const hits = 5 // of a search
const spansOfTask = 2 // that a task works on
const spanSeconds = 20 // of each, at least
const sharpness = 3 // of the attention: 0 weighs all tasks alike

const TaskId = z.string().transform(id => id.replace(/\W/g, '_'))
const Task = z.object({
  id: TaskId,
  module: z.enum(['search', 'sight', 'speech', 'sound', 'text']),
  query: z.string().min(1),
  after: z.array(TaskId).default([]),
  weight: z.number().min(0).max(1).default(1),
})
type Task = z.infer<typeof Task>
const Tasks = z.object({ tasks: z.array(Task).min(1).max(8) })

// The agent as LongShOT's paper describes it: the question becomes a graph of tasks, searches find spans, modules work on them, and what
// all of them return is fused late: weighted by an attention over the tasks that is known only then. The arithmetic of it is ours.
export default baselineGraph(
  {
    plan: { work: plan, next: ['act'] },
    act: { work: act, next: ['act', 'fuse'] },
    fuse: { work: fuse, next: ['answer'] },
    answer: { work: concludeAnswer, next: [] },
  },
  given => ({ ...given, policy: { ...given.policy, callsPerRound: 64 } }),
)

async function plan(session: AgentSession, state: RunState): Promise<Done> {
  return { update: (await planJson(session, state, { name: 'tasks', rules: taskGraphRules, shape: Tasks })).update }
}

// Without a planner's graph: a search for the question and for each option, and a look at what the first finds.
function listTasks(session: AgentSession, state: RunState): Task[] {
  const planned = findPlan(state, Tasks)?.tasks
  if (planned) return [...new Map(planned.map(task => [task.id, task])).values()]
  const searches = questionQueries(session).map(
    (query, i): Task => ({ id: `t${i}`, module: 'search', query, after: [], weight: 1 }),
  )
  const look: Task = { id: 'look', module: 'sight', query: session.parts.question.text, after: ['t0'], weight: 1 }
  return session.parts.vision ? [...searches, look] : searches
}

// One round: every task whose tasks before it are done. Of tasks that wait for each other all are run.
async function act(session: AgentSession, state: RunState): Promise<Done> {
  const tasks = listTasks(session, state)
  const taskSteps = stepsOfTasks(state)
  const openTasks = tasks.filter(task => !taskSteps.has(task.id))
  const stop = session.meter.over(state.round)
  if (openTasks.length === 0 || stop) return { goto: 'fuse', update: openTasks.length > 0 && stop ? { stop } : {} }
  const waiting = new Set(openTasks.map(task => task.id))
  const free = openTasks.filter(task => !task.after.some(id => waiting.has(id)))
  const ready = free.length > 0 ? free : openTasks
  const calls = (await Promise.all(ready.map(task => planTaskCalls(task, taskSteps, session)))).flat()
  const run = await runCalls(session, state, calls, state.round)
  const message = modelMessage({ text: ready.map(task => task.id).join(' '), calls }, state.round)
  return {
    goto: ready.length < openTasks.length ? 'act' : 'fuse',
    update: { ...run, messages: [message], round: state.round + 1 },
  }
}

const trackOfModule = { sight: 'picture', speech: 'speech', sound: 'sound', text: 'text' } as const

async function planTaskCalls(
  task: Task,
  taskSteps: StepsByTask,
  { parts, ledger, context }: AgentSession,
): Promise<ToolCall[]> {
  const { tools, index } = parts
  const query = task.query.slice(0, 500)
  if (task.module === 'search') return buildCalls(tools, 'search', task.id, { query, k: hits })
  const track = trackOfModule[task.module]
  const rows = task.after.flatMap(id => ledger.rows((taskSteps.get(id) ?? []).flatMap(step => step.evidence)))
  const foundRows =
    rows.length > 0 ? rows : (await context.index.search({ query, k: spansOfTask })).map(hit => hit.evidence)
  return foundRows
    .slice(0, spansOfTask)
    .flatMap((row, i) =>
      closerCalls(tools, track, `${task.id}/${i}`, { ...around(row, index.coverage.duration), question: query }),
    )
}

function around({ span }: Evidence, duration: number): Span {
  const more = Math.max(0, spanSeconds - (span.end - span.start)) / 2
  return clampSpan({ start: Math.max(0, span.start - more), end: span.end + more }, duration)
}

type StepsByTask = Map<string, Step[]>

// The steps of each task that was run: those of a round stand in the order of its calls.
function stepsOfTasks({ messages, steps }: RunState): StepsByTask {
  const taskSteps: StepsByTask = new Map()
  for (const message of messages) {
    if (message.by !== 'model' || message.round === undefined) continue
    for (const id of message.text.split(' ')) taskSteps.set(id, [])
    const ofRound = steps.filter(step => step.round === message.round)
    for (const [i, { id }] of message.calls.entries()) {
      const step = ofRound[i]
      if (step) taskSteps.get(id.split('/')[0] ?? '')?.push(step)
    }
  }
  return taskSteps
}

// Attention of a task: softmax of its weight in the plan times how much of the question its best row holds. Of a row: that of its
// tasks, by its rank in each. The writer gets the rows of most weight that fit, and is told the weights.
async function fuse(session: AgentSession, state: RunState): Promise<Done> {
  const taskSteps = stepsOfTasks(state)
  const terms = tokens(session.parts.question.text).filter(token => !isStopWord(token.text))
  const results = listTasks(session, state).map(task => {
    const rows = [...new Set(session.ledger.rows((taskSteps.get(task.id) ?? []).flatMap(step => step.evidence)))]
    const fit = Math.max(0, ...rows.map(row => coverage(terms, row.text)))
    return { task, rows, force: rows.length > 0 ? Math.exp(sharpness * task.weight * fit) : 0 }
  })
  const total = results.reduce((sum, { force }) => sum + force, 0) || 1
  const weights = new Map<Evidence, number>()
  for (const { rows, force } of results)
    for (const [rank, row] of rows.entries()) weights.set(row, (weights.get(row) ?? 0) + force / total / (rank + 1))
  const ranked = [...weights.keys()].sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0) || byTime(a, b))
  const rows: Evidence[] = []
  let room = session.fit.characters('ledger')
  for (const row of ranked) {
    room -= row.text.length + 40
    if (room > 0) rows.push(row)
  }
  const hints = results
    .filter(result => result.rows.length > 0)
    .sort((a, b) => b.force - a.force)
    .map(
      ({ task, rows, force }) =>
        `${(force / total).toFixed(2)} ${task.module} "${task.query}": ${rows
          .slice(0, hits)
          .map(row => row.id)
          .join(' ')}`,
    )
  const weightLines = `Weights of the tasks that found the evidence, with their best rows. Rely most on the rows of most weight.\n${hints.join('\n')}`
  session.watch({ type: 'plan', round: state.round, text: weightLines.slice(0, 4000) })
  return answerDraft(session, await writeOnce(session, state, { rows, hints: [weightLines] }))
}
