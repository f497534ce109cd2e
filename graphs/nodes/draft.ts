import type { Weighed } from '../../src/core/agent.ts'
import type { Draft, EarlierTurn } from '../../src/core/brief.ts'
import type { ChatRequest } from '../../src/core/chat.ts'
import { wantsDetail } from '../../src/text/question/wants-detail.ts'
import { validate } from '../../src/text/replies/evidence-validator.ts'
import { readDraft } from '../../src/text/replies/read-draft.ts'
import { contentWords, rowsAbout } from '../../src/text/terms.ts'
import { abstain, lastAnswer } from '../answer/quotes.ts'
import { askModel } from '../asking/ask-model.ts'
import { writeRequest } from '../prompts/writer.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

// Has the answer written from the ledger. Where no model may or can write any more, rules do.
export async function draft(session: AgentSession, state: RunState): Promise<Done> {
  const weighed = await weigh(session, state)
  const now = { ...state, weighed }
  const mayWrite = session.meter.mayAsk()
  const result = mayWrite ? await writeParts(session, now) : 'failed'
  const { written, notes } = await usable(session, now, result)
  const stop = state.stop ?? (result === 'failed' ? (session.meter.stopped() ?? 'failed') : undefined)
  return { update: { weighed, stop, written, ...(notes.length > 0 && { notes }) } }
}

type Written = Draft | 'unusable' | 'failed' // unusable: the model replied with something that is not an answer; failed: it could not be asked

interface Usable {
  written: Draft
  notes: string[] // for the answer to tell
}

// What was written, with only times and citations of the ledger. What is missing in it is filled in by rules from the same evidence,
// and said.
async function usable(session: AgentSession, state: RunState, made: Written): Promise<Usable> {
  const { writer, question } = session.parts
  if (made === 'failed' || made === 'unusable') {
    const unusable = 'The writer gave no usable answer; rules wrote it from the evidence found.'
    return { written: await byRules(session, state), notes: made === 'unusable' ? [unusable] : [] }
  }
  const { sentences, notes } = validate(made.sentences, session.ledger)
  for (const note of notes) session.watch({ type: 'note', text: note })
  if (!writer.accepts.has('text')) return { written: { ...made, sentences }, notes: [] }
  const cited = withRows(session, { ...made, sentences })
  if (!cited) {
    const replyText = made.sentences.map(one => one.text).join(' ')
    const why = `The writer cited nothing, and nothing that was found bears it out; rules answered instead of: "${replyText.slice(0, 300)}"`
    return { written: await byRules(session, state), notes: [...notes, why] }
  }
  const whole = { written: cited.written, notes: [...notes, ...cited.notes] }
  if (!question.options?.length || made.choice !== undefined) return whole
  const { choice } = await byRules(session, state)
  if (choice === undefined) return whole
  const named = `The writer named no option; rules chose ${String.fromCharCode(65 + choice)} by the evidence.`
  const confidence = Math.min(0.3, made.confidence ?? 0.3)
  return { written: { ...whole.written, choice, confidence }, notes: [...whole.notes, named] }
}

async function byRules(session: AgentSession, state: RunState): Promise<Draft> {
  const { rules, question } = session.parts
  const isOver = session.meter.stopped() || !rules
  const reply = isOver
    ? undefined
    : await session.ask('rules', rules, requestFor(session, state, session.parts.earlier))
  const ruleDraft = reply && readDraft(reply.text, question.options)
  const { sentences = [], ...draft } = ruleDraft ?? withoutModel(session)
  return { ...draft, sentences: validate(sentences, session.ledger).sentences, by: 'rules' }
}

// Prose that cites nothing rests on the rows that hold its words; undefined if there are none.
function withRows(session: AgentSession, draft: Draft): Usable | undefined {
  const stands = draft.abstained || draft.sentences.length === 0 || session.parts.answerAlways
  if (stands || draft.sentences.some(one => one.cites.length > 0)) return { written: draft, notes: [] }
  const ledger = session.ledger.all()
  const sentences = draft.sentences.map(({ text }) => ({
    text,
    cites: rowsAbout(contentWords(text), ledger, 2, 0.6).map(row => row.id),
  }))
  const isFound = sentences.some(({ cites }) => cites.length > 0)
  if (!isFound && draft.choice === undefined) return undefined
  const note = isFound ? 'The writer cited nothing; rows that hold its words are cited.' : 'The writer cited nothing.'
  return { written: { ...draft, sentences }, notes: [note] }
}

// What is tried by itself before anything is written, in a fresh context.
async function weigh(session: AgentSession, state: RunState): Promise<Weighed | undefined> {
  let { weighed } = state
  for (const policy of session.policies)
    if (policy.weigh) weighed = { ...weighed, ...(await policy.weigh(session, { ...state, weighed })) }
  return weighed && Object.keys(weighed).length > 0 ? weighed : undefined
}

// What only lists finds nothing: such rows are no hits.
function findLists({ parts: { tools } }: AgentSession): Set<string> {
  return new Set(tools.filter(one => one.kind === 'list' || one.kind === 'overview').map(one => one.name))
}

// A writer that follows rules answers one question at a time, so each part of the question is put to it by itself; what the
// parts before came to is then an earlier turn.
async function writeParts(session: AgentSession, state: RunState): Promise<Written> {
  const aspects = state.weighed?.aspects ?? []
  if (aspects.length < 2 || session.parts.writer.accepts.has('text'))
    return write(session, state, session.parts.earlier)
  const turns: EarlierTurn[] = [...session.parts.earlier]
  const drafts: Draft[] = []
  for (const aspect of aspects) {
    const question = { text: aspect }
    const partDraft = await write(session, { ...state, question }, turns)
    if (typeof partDraft === 'string') return drafts.length > 0 ? joined(drafts, aspects) : partDraft
    drafts.push(partDraft)
    const rows = partDraft.sentences.flatMap(one => session.ledger.rows(one.cites))
    turns.push({ question, answer: partDraft.sentences.map(one => one.text).join(' '), evidence: rows })
  }
  return joined(drafts, aspects)
}

function joined(drafts: readonly Draft[], aspects: readonly string[]): Draft {
  const answered = drafts.filter(one => !one.abstained)
  const keptDrafts = answered.length > 0 ? answered : drafts.slice(0, 1)
  const sentences = keptDrafts.flatMap(one => one.sentences)
  return {
    sentences: sentences.filter((one, i) => sentences.findIndex(other => other.text === one.text) === i),
    confidence: Math.min(...keptDrafts.map(one => one.confidence ?? 0.5)),
    abstained: answered.length === 0,
    unknown: aspects.filter((_, i) => drafts[i]?.abstained),
  }
}

// One that is not an answer is asked for once more.
async function write(session: AgentSession, state: RunState, turns: EarlierTurn[]): Promise<Written> {
  for (const again of [false, true]) {
    const reply = await askModel(session, 'writer', () => requestFor(session, state, turns, again))
    if (!reply) return 'failed'
    const draft = readDraft(reply.text, session.parts.question.options)
    if (draft) return draft
  }
  return 'unusable'
}

function requestFor(session: AgentSession, state: RunState, turns: EarlierTurn[], again = false): ChatRequest {
  const { index } = session.parts
  const now = session.now(state)
  const unread = again ? ['Your last reply could not be read. Reply with only the JSON.'] : []
  return writeRequest({
    state: now,
    turns,
    coverage: index.coverage,
    overview: index.overview,
    hints: [...lengthHint(session), ...unread],
    lists: findLists(session),
    ledgerCharacters: session.fit.characters('ledger'),
  })
}

// How long the answer of a model is to be.
function lengthHint({ parts: { writer, question, answerStyle = 'auto' } }: AgentSession): string[] {
  if (!writer.accepts.has('text') || question.options?.length) return []
  const style = answerStyle === 'auto' && wantsDetail(question) ? 'full' : answerStyle
  if (style === 'short') return ['Answer in one sentence, two at most.']
  return style === 'full' ? [inFull] : []
}

const inFull =
  'Answer in full: after the first sentence a sentence or two on each fact that an expert would name, with its names, numbers and particulars. Leave out what no row supports.'

function withoutModel(session: AgentSession): Draft {
  const { question, index } = session.parts
  const rows = session.ledger.all()
  const quotes = lastAnswer(question.text, rows)
  if (quotes.length > 0) return { sentences: quotes, confidence: 0.2 }
  return { sentences: abstain(question.text, rows, index.coverage), abstained: true, confidence: 0 }
}
