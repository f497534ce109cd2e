import { CheckReply } from '../../src/core/brief.ts'
import type { ChatRequest } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { checkRequest } from '../prompts/verifier.ts'
import type { AgentSession } from '../session.ts'
import type { DraftSentence, Judged } from '../state.ts'
import { askModel } from './ask-model.ts'

// One verdict of one sentence. What cites nothing, or is checked by nobody, is unseen.
export async function judge(
  session: AgentSession,
  sentence: DraftSentence,
  by: 'verifier' | 'rules' = 'verifier',
): Promise<Judged> {
  const unseen = (reason: string): Judged => ({ sentence: sentence.text, verdict: 'unseen', reason })
  if (sentence.cites.length === 0) return unseen('It cites no evidence.')
  for (const policy of session.policies) if (policy.judge) return policy.judge(session, sentence, by)
  return unseen('Checking was switched off.')
}

export function isChecked({ policies }: AgentSession): boolean {
  return policies.some(policy => policy.judge)
}

// A claim that nobody wrote, tried by the model that checks; undefined if it cannot say.
export async function tryClaim(
  session: AgentSession,
  claim: string,
  rows: Evidence[],
): Promise<CheckReply | undefined> {
  return verdictOn(session, () => checkRequest(claim, rows))
}

export async function verdictOn(session: AgentSession, request: () => ChatRequest): Promise<CheckReply | undefined> {
  if (!session.meter.mayAsk()) return undefined
  const reply = await askModel(session, 'verifier', request)
  const parsed = CheckReply.safeParse(parseJsonText(reply?.text ?? ''))
  return parsed.success ? { ...parsed.data, reason: parsed.data.reason.slice(0, 300) } : undefined
}
