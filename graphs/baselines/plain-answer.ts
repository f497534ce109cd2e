import type { Answer, Sentence } from '../../src/core/agent.ts'
import { isNone, optionText } from '../../src/text/option.ts'
import { causeOf } from '../answer/cause.ts'
import { degradedBy } from '../answer/degraded.ts'
import { validate } from '../answer/evidence-validator.ts'
import { abstain, lastAnswer } from '../answer/quotes.ts'
import { choiceText, rowsOf, sentenceText } from '../answer/shown-answer.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

// The answer of a baseline as its model wrote it, unchecked; only times and citations that are not in the ledger go.
export async function plainAnswer(session: AgentSession, state: RunState): Promise<Done> {
  const { question, index } = session.parts
  const { written: draft } = state
  const checked = validate(draft?.sentences ?? [], session.ledger)
  for (const note of checked.notes) session.watch({ type: 'note', text: note })
  const written: Sentence[] = checked.sentences.map(one => ({ ...one, verdict: 'unseen' }))
  const options = question.options ?? []
  const choice = options.length > 0 ? (draft?.choice ?? 0) : undefined
  const rows = [...session.ledger.values()]
  const nothing = written.length === 0 && choice === undefined
  const quotes = draft ? [] : lastAnswer(question.text, rows)
  const instead = quotes.length > 0 ? quotes : abstain(question.text, rows, index.coverage)
  const sentences = nothing ? instead.map((one): Sentence => ({ ...one, verdict: 'unseen' })) : written
  const stop = state.stop ?? session.stopped() ?? (draft ? 'answered' : 'failed')
  const declined = draft?.abstained === true && !(session.parts.answerAlways && written.length > 0)
  const abstained =
    choice === undefined
      ? declined || (nothing && quotes.length === 0)
      : isNone(optionText(options[choice] ?? '')) || draft?.cause !== undefined
  const why = abstained ? causeOf(session.parts, stop, draft?.cause) : undefined
  const lead = choice === undefined ? [] : [choiceText(options, choice, rowsOf(session, sentences))]
  const answer: Answer = {
    text: [...lead, ...sentences.map(one => sentenceText(one, session))].join(' '),
    ...(choice === undefined ? {} : { choice }),
    sentences,
    confidence: abstained && choice === undefined ? 0 : (draft?.confidence ?? 0.5),
    abstained,
    ...why,
    degraded: [...degradedBy(index.coverage, stop, session.failures), ...state.notes],
  }
  session.watch({ type: 'answer', answer })
  return { update: { result: answer, stop } }
}
