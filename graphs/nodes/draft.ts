import type { Weighed } from '../../src/core/agent.ts'
import type { Draft, EarlierTurn } from '../../src/core/brief.ts'
import { validate } from '../answer/evidence-validator.ts'
import { abstain, lastAnswer } from '../answer/quotes.ts'
import { readDraft } from '../answer/read-draft.ts'
import { writeRequest } from '../prompts.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { runCalls } from './act.ts'
import { askModel } from './ask-model.ts'
import { mayCallModel } from './budget.ts'

// Has the answer written from the ledger. Where no model may or can write any more, the nearest rows are quoted instead.
export async function draft(session: AgentSession, state: RunState): Promise<Done> {
  const { parts } = session
  const gathered = await gather(session, state)
  const now = { ...state, steps: [...state.steps, ...gathered.steps], weighed: gathered.weighed }
  const weighed = await weigh(session, now)
  const written =
    !session.stopped() && mayCallModel(session.usage(), parts.budget)
      ? await writeParts(session, { ...now, weighed })
      : undefined
  const plain = written ?? withoutModel(session)
  const checked = validate(plain.sentences, session.ledger)
  for (const note of checked.notes) session.watch({ type: 'note', text: note })
  const stop = state.stop ?? (written ? undefined : (session.stopped() ?? 'failed'))
  const { steps, round } = gathered
  const more = steps.length > 0 ? { steps, round } : {}
  return { update: { weighed, stop, written: { ...plain, sentences: checked.sentences }, hints: [], ...more } }
}

// What the policies still look for before anything is written.
async function gather(session: AgentSession, state: RunState) {
  let made: Pick<RunState, 'steps' | 'round' | 'weighed'> = { steps: [], round: state.round, weighed: state.weighed }
  for (const { name: by, ...policy } of session.policies) {
    if (!policy.gather) continue
    const now = () => ({ ...state, steps: [...state.steps, ...made.steps], weighed: made.weighed, round: made.round })
    const found = await policy.gather(session, now(), async calls => {
      const named = calls.map(call => ({ ...call, by }))
      const { steps, weighed = made.weighed } = await runCalls(session, now(), named, made.round)
      made = { steps: [...made.steps, ...steps], round: made.round + 1, weighed }
      return { steps, weighed }
    })
    if (Object.keys(found).length > 0) made = { ...made, weighed: { ...made.weighed, ...found } }
  }
  return made
}

// What is tried by itself before anything is written, in a fresh context.
async function weigh(session: AgentSession, state: RunState): Promise<Weighed | undefined> {
  let { weighed } = state
  for (const policy of session.policies)
    if (policy.weigh) weighed = { ...weighed, ...(await policy.weigh(session, state)) }
  return weighed && Object.keys(weighed).length > 0 ? weighed : undefined
}

// What only lists finds nothing: such rows are no hits.
function listsOf({ parts: { tools } }: AgentSession): Set<string> {
  return new Set(tools.filter(one => one.kind === 'list' || one.kind === 'overview').map(one => one.name))
}

// A writer that follows rules answers one question at a time, so each part of the question is put to it by itself; what the
// parts before came to is then an earlier turn.
async function writeParts(session: AgentSession, state: RunState): Promise<Draft | undefined> {
  const aspects = state.weighed?.aspects ?? []
  if (aspects.length < 2 || session.parts.writer.accepts.has('text')) return write(session, state, session.turns)
  const turns: EarlierTurn[] = [...session.turns]
  const drafts: Draft[] = []
  for (const aspect of aspects) {
    const question = { text: aspect }
    const made = await write(session, { ...state, question }, turns)
    if (!made) return drafts.length > 0 ? joined(drafts, aspects) : undefined
    drafts.push(made)
    const rows = made.sentences.flatMap(one => session.rows(one.cites))
    turns.push({ question, answer: made.sentences.map(one => one.text).join(' '), evidence: rows })
  }
  return joined(drafts, aspects)
}

function joined(drafts: readonly Draft[], aspects: readonly string[]): Draft {
  const answered = drafts.filter(one => !one.abstained)
  const kept = answered.length > 0 ? answered : drafts.slice(0, 1)
  const sentences = kept.flatMap(one => one.sentences)
  return {
    sentences: sentences.filter((one, i) => sentences.findIndex(other => other.text === one.text) === i),
    confidence: Math.min(...kept.map(one => one.confidence ?? 0.5)),
    abstained: answered.length === 0,
    unknown: aspects.filter((_, i) => drafts[i]?.abstained),
  }
}

async function write(session: AgentSession, state: RunState, turns: EarlierTurn[]): Promise<Draft | undefined> {
  const { parts } = session
  const { index } = parts
  const now = session.now(state)
  const told = session.policies.map(policy => policy.write?.(session, now) ?? {})
  const reply = await askModel(session, 'writer', () =>
    writeRequest({
      state: now,
      turns,
      coverage: index.coverage,
      overview: index.overview,
      dropped: state.dropped,
      hints: told.flatMap(one => one.hints ?? []),
      aside: new Set(told.flatMap(one => [...(one.aside ?? [])])),
      aspects: now.weighed?.aspects ?? [],
      lists: listsOf(session),
      ledgerCharacters: session.lengths().ledger,
    }),
  )
  if (!reply?.text.trim()) return undefined
  return readDraft(reply.text, parts.question.options)
}

function withoutModel(session: AgentSession): Draft {
  const { question, index } = session.parts
  const rows = [...session.ledger.values()]
  const quotes = lastAnswer(question.text, rows)
  if (quotes.length > 0) return { sentences: quotes, confidence: 0.2 }
  return { sentences: abstain(question.text, rows, index.coverage), abstained: true, confidence: 0 }
}
