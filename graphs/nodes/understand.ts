import type { Question } from '../../src/core/agent.ts'
import { resolve } from '../../src/text/conversation/resolve.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

// Before anything is planned, what a question says of earlier turns is put into the question itself. Where it leans on something
// that nobody has said, a person is asked; without one the words stay as they are.
export async function understand(session: AgentSession, state: RunState): Promise<Done> {
  const { index, context } = session.parts
  if (state.turns.length === 0) return { update: { question: clarified(session, state.question) } }
  const { question, turns } = await resolve(state.question, state.turns, index, context.evidence)
  const { asked, references } = question.refers ?? {}
  if (asked && references) session.watch({ type: 'reference', asked, question: question.text, references })
  return { update: { question: references ? question : clarified(session, question), turns } }
}

const leaning =
  /^(?:(?:and|but|so),? )?(?:when|where|why|who|how)\W*$|\b(?:after|before|at|about|by) (?:that|this)(?=\W*$)/i

function clarified(session: AgentSession, question: Question): Question {
  const words = leaning.exec(question.text.trim())?.[0]
  const meant = words === undefined ? undefined : session.inquire({ type: 'clarify', question: question.text, words })
  if (typeof meant !== 'string' || meant.trim() === '') return question
  return { ...question, text: `${question.text} ("${words}": ${meant.trim().slice(0, 1000)})` }
}
