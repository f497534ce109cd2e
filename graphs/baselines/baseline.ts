import { z } from 'zod'
import type { StopReason } from '../../src/core/agent.ts'
import type { Draft } from '../../src/core/brief.ts'
import { answerTokens, type ChatRequest, type ToolCall, textContent } from '../../src/core/chat.ts'
import { byTime, type Evidence } from '../../src/core/evidence.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { isFrame } from '../../src/core/sight/frame-rows.ts'
import { clockTime, formatTime, parseTime } from '../../src/core/time.ts'
import type { Tool, ToolContext, ToolResult } from '../../src/core/tool.ts'
import { indexLine } from '../../src/core/words/index-lines.ts'
import { validate } from '../../src/text/replies/evidence-validator.ts'
import { readDraft } from '../../src/text/replies/read-draft.ts'
import { askModel } from '../asking/ask-model.ts'
import type { Blueprint } from '../compile.ts'
import { conversationNode, modelMessage, type PlannerConversation } from '../conversation/ask.ts'
import { runCalls } from '../nodes/act.ts'
import { questionBlock } from '../prompts/blocks.ts'
import { writeRequest } from '../prompts/writer.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState, Update } from '../state.ts'

// What all baselines share: none of the policies of the agent holds in them. The limits, and the rule that a time comes from the
// ledger, are no policies and stay.
export function baselineGraph(nodes: Blueprint['nodes'], parts?: Blueprint['parts']): Blueprint {
  return {
    nodes,
    policies: ({ compaction }) => ({ compaction }),
    parts,
    onBegin(session) {
      const { overview, coverage } = session.parts.index
      session.watch({ type: 'overview', overview, coverage })
    },
  }
}

const mostFailedRounds = 10 // ours: the loops as they were released have no end to these

interface ToolLoop extends Pick<PlannerConversation, 'sight' | 'before'> {
  rules: string
  lastWord: string
  rounds(session: AgentSession): number // at most; one in which every call failed is not counted
  opening?(session: AgentSession, state: RunState): { text: string; shown: Evidence[] } // beside the question
  characters?(session: AgentSession): number // of a round of results
  isHeld?: boolean // it ends with the budget before its rounds are over; one last word is left
  calls?(session: AgentSession, state: RunState): Promise<ToolCall[]> // of rules, which read no prompts
}

// How a baseline plans: the planner calls tools until it calls none of them, and what it then says is the answer.
export function toolLoop({ rules, lastWord, rounds, opening, characters, isHeld, calls, ...more }: ToolLoop) {
  return conversationNode({
    ...more,
    lastWord,
    tools: 'act',
    tell(session, state) {
      const { index, question, earlier } = session.parts
      const { duration } = index.coverage
      const about = `The video is ${Math.round(duration)} seconds long (${formatTime(duration)}).`
      const begun = opening?.(session, state)
      const ask = [questionBlock(state, earlier), question.options ? chooseByLetter : '', begun?.text ?? '']
      const most = characters?.(session) ?? session.fit.characters('results')
      return {
        rules: `${rules}\n${about}`,
        opening: textContent(ask.filter(Boolean).join('\n')),
        shown: new Map(begun?.shown.map(row => [row.id, row.id])),
        line: row => (isFrame(row) ? '' : indexLine(row)),
        characters: among => most / among,
      }
    },
    end(session, state) {
      const stop: StopReason | undefined = isHeld ? session.meter.over(state.round) : undefined
      if (stop) return { stop }
      const most = rounds(session)
      const isOver = countedRounds(state) >= Math.min(most, session.parts.budget.steps)
      return isOver || state.round >= most + mostFailedRounds ? {} : undefined
    },
    conclude: (session, _state, { text }) => answerDraft(session, readDraft(text, session.parts.question.options)),
    ...(calls && { byRules: (session, state) => byRules(session, state, calls) }),
  })
}

// The rounds that the prompt asks for are made for rules.
async function byRules(session: AgentSession, state: RunState, calls: NonNullable<ToolLoop['calls']>): Promise<Done> {
  const ruleCalls = await calls(session, state)
  if (ruleCalls.length > 0) return { goto: 'act', update: { calls: ruleCalls } }
  const { goto, update } = answerDraft(session, await writeOnce(session, state))
  return { goto, update: { ...update, notes: [plannedByRules] } }
}

const plannedByRules = 'The rounds of this baseline were made by rules: models.planner is not a language model.'

function countedRounds({ steps }: RunState): number {
  const isCounted = steps.filter(step => step.outcome !== 'failed' && step.outcome !== 'refused')
  return new Set(isCounted.map(step => step.round)).size
}

// These agents answer in prose. A sentence that states a moment of a row cites that row; times and citations that are not in the
// ledger go. Nothing else is checked.
export function answerDraft(session: AgentSession, draft: Draft | undefined): Done & { goto: string } {
  if (!draft) {
    const { meter } = session
    const stop = meter.stopped() ?? (meter.mayAsk() ? undefined : meter.over(0)) ?? 'failed'
    return { goto: 'answer', update: { stop } }
  }
  const rows = session.ledger.all()
  const cited = draft.sentences.map(one => ({
    ...one,
    cites: one.cites.length > 0 ? one.cites : findCites(one.text, rows),
  }))
  const { sentences, notes } = validate(cited, session.ledger)
  for (const note of notes) session.watch({ type: 'note', text: note })
  return { goto: 'answer', update: { written: { ...draft, sentences } } }
}

function findCites(sentence: string, rows: readonly Evidence[]): string[] {
  const clocks = [...sentence.matchAll(new RegExp(String.raw`\b${clockTime}\b`, 'g'))].map(match => match[0])
  return clocks.flatMap(clock => rows.find(row => formatTime(row.span.start) === clock)?.id ?? []).slice(0, 4)
}

const chooseByLetter =
  'Begin the answer with the letter of the option that you choose: A for option 0, B for option 1, and so on.'

// A tool of a baseline, which takes the place of the agent's own.
export function baselineTool<Input>(
  card: Pick<Tool, 'name' | 'description' | 'kind'>,
  input: z.ZodType<Input>,
  run: (input: Input, context: ToolContext) => Promise<ToolResult>,
): Tool {
  return { ...card, input, run: (given, context) => run(given as Input, context) }
}

// The calls of a step of a baseline that plans in a fixed order, as a round; none if the budget for gathering is used up.
export async function runRound(session: AgentSession, state: RunState, calls: ToolCall[]): Promise<Update> {
  if (calls.length === 0) return {}
  const stop = session.meter.over(state.round)
  return stop ? { stop } : { ...(await runCalls(session, state, calls, state.round)), round: state.round + 1 }
}

// One step of such a baseline: what the planner replies in JSON. The reply stays among the messages of the
// run, where later nodes find it.
export async function planJson<Plan>(
  session: AgentSession,
  state: RunState,
  { name, rules, shape, data = [] }: { name: string; rules: string; shape: z.ZodType<Plan>; data?: string[] },
): Promise<{ plan?: Plan; update: Update }> {
  const { planner, earlier } = session.parts
  if (!planner.accepts.has('text'))
    return { update: { notes: state.notes.includes(plannedByRules) ? [] : [plannedByRules] } }
  if (!session.meter.mayAsk()) return { update: {} }
  const reply = await askModel(session, 'planner', () => ({
    purpose: 'plan',
    messages: [
      { role: 'system', content: textContent(rules) },
      { role: 'user', content: textContent([questionBlock(state, earlier), ...data].join('\n\n')) },
    ],
    schema: { name, schema: z.toJSONSchema(shape, { io: 'input' }) },
    temperature: 0,
    maxTokens: answerTokens.plan,
  }))
  if (!reply) return { update: {} }
  const text = reply.text.trim()
  session.watch({ type: 'plan', round: state.round, text: text.slice(0, 4000) })
  const plan = shape.safeParse(parseJsonText(text)).data
  const note = `The planner's reply to the step "${name}" could not be read, so the question itself stands in its place.`
  return {
    plan,
    update: { messages: [modelMessage({ text, calls: [] })], ...(plan === undefined && { notes: [note] }) },
  }
}

// The last reply of this shape.
export function findPlan<Plan>({ messages }: RunState, shape: z.ZodType<Plan>): Plan | undefined {
  const texts = messages.flatMap(one => (one.by === 'model' ? [one.text] : []))
  return texts
    .reverse()
    .map(text => shape.safeParse(parseJsonText(text)).data)
    .find(plan => plan !== undefined)
}

// A time as a model states it: "1:05" as frames and rows have it, or seconds.
export const TimeInReply = z.preprocess(parseTime, z.number())

// The question and each of its options, as queries.
export function questionQueries({ parts: { question } }: AgentSession): string[] {
  return [question.text, ...(question.options ?? [])].map(query => query.slice(0, 500))
}

// What the writer is given in place of the whole ledger, and what it is told of it.
interface ChosenRows {
  rows: Evidence[]
  hints: string[]
}

// One call of the writer over the ledger as it is, or over some of it.
export async function writeOnce(
  session: AgentSession,
  state: RunState,
  chosen?: ChosenRows,
): Promise<Draft | undefined> {
  if (!session.meter.mayAsk()) return undefined
  const reply = await askModel(session, 'writer', () => ledgerRequest(session, state, chosen))
  return reply ? readDraft(reply.text, session.parts.question.options) : undefined
}

export function ledgerRequest(session: AgentSession, state: RunState, chosen?: ChosenRows): ChatRequest {
  const { index, earlier } = session.parts
  const now = session.now(state)
  return writeRequest({
    state: chosen ? { ...now, evidence: chosen.rows } : now,
    turns: earlier,
    coverage: index.coverage,
    overview: index.overview,
    hints: chosen?.hints ?? [],
    lists: new Set(),
    ledgerCharacters: session.fit.characters('ledger'),
  })
}

// All lines where they fit; else lines at even distances, so that no part of the video is preferred.
export function evenly(rows: readonly Evidence[], characters: number): Evidence[] {
  const sorted = [...rows].sort(byTime)
  const size = sorted.reduce((sum, row) => sum + row.text.length + 40, 0)
  const step = Math.max(1, size / characters)
  return sorted.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
}
