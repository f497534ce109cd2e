import { z } from 'zod'
import { Verdict } from '../../src/core/agent.ts'
import { once } from '../../src/core/basics/once.ts'
import { type CheckBrief, CheckReply } from '../../src/core/brief.ts'
import { answerTokens, type ChatRequest, textContent } from '../../src/core/chat.ts'
import { type Evidence, rowLine } from '../../src/core/evidence.ts'
import { dataRule, fence } from '../../src/core/words/fence.ts'

// The verifier: one sentence against its rows, the claims of a conversation against rows and frames, and answers of votes.

const checkerRules = `Decide whether the evidence rows support the sentence. Reply as JSON: {"reason","verdict":"supported"|"follows"|"contradicted"|"unseen"}, the reason first.
supported: the rows state it. follows: the rows do not state it, but a careful viewer would infer it from them (a motive, cause, feeling or purpose). contradicted: the rows state otherwise. unseen: the rows do not decide it. Judge by the rows only.
${dataRule}`

export const claimCheckRules = `Check claims about a video against the rows and frames that they cite. For each claim write the reason first, then the verdict: supported (they show it), follows (a reasonable inference from them), contradicted (they show otherwise), unseen (they do not decide it). The frames just before and after a cited frame are context.
${dataRule}`

const sameRules = `Two runs answered the same question. Decide whether their answers agree on what is asked; different wording and more or less detail do not matter. Reply as JSON: {"reason","verdict":"supported"|"contradicted"|"unseen"}.
supported: they agree. contradicted: they do not. unseen: it cannot be decided.
${dataRule}`

const chooseRules = `Several runs gave different answers to the same question. Decide which answer is best supported by its evidence rows. Judge by the rows only. Reply as JSON: {"reason","answer"}: the number of the answer, or 0 if the rows do not decide.
${dataRule}`

const verdictSchema = once(() => ({ name: 'verdict', schema: z.toJSONSchema(CheckReply) }))

export function checkRequest(claim: string, evidence: Evidence[]): ChatRequest {
  const brief: CheckBrief = { kind: 'check', claim, evidence }
  return {
    purpose: 'check',
    messages: [
      { role: 'system', content: textContent(checkerRules) },
      {
        role: 'user',
        content: textContent(`${fence('sentence', claim)}\n\n${fence('evidence', evidence.map(rowLine).join('\n'))}`),
      },
    ],
    schema: verdictSchema(),
    temperature: 0,
    maxTokens: answerTokens.check,
    brief,
  }
}

// Whether two answers say the same: "supported" where they do.
export function sameRequest(question: string, one: string, other: string): ChatRequest {
  const content = [`Question: ${question}`, fence('first answer', one), fence('second answer', other)].join('\n\n')
  return request(sameRules, content, verdictSchema())
}

export const Choice = z.object({
  reason: z.string(),
  answer: z.number().int().min(0).describe('number of the answer that the rows bear out; 0 where they do not decide'),
})

// Which of several answers the rows bear out, each shown with the rows that it cites.
export function chooseRequest(question: string, answers: readonly { text: string; rows: Evidence[] }[]): ChatRequest {
  const answerBlocks = answers.map(({ text, rows }, i) =>
    [`Answer ${i + 1}:`, fence('answer', text), fence('evidence', rows.map(rowLine).join('\n') || '(none)')].join('\n'),
  )
  return request(chooseRules, [`Question: ${question}`, ...answerBlocks].join('\n\n'), chooseSchema())
}

function request(rules: string, content: string, schema: ChatRequest['schema']): ChatRequest {
  return {
    purpose: 'check',
    messages: [
      { role: 'system', content: textContent(rules) },
      { role: 'user', content: textContent(content) },
    ],
    schema,
    temperature: 0,
    maxTokens: answerTokens.check,
  }
}

const chooseSchema = once(() => ({ name: 'choice', schema: z.toJSONSchema(Choice) }))

export const claimVerdictsSchema = {
  name: 'claim_verdicts',
  schema: {
    type: 'object',
    properties: {
      claims: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            claim: { type: 'integer' },
            reason: { type: 'string' },
            verdict: { type: 'string', enum: [...Verdict.options] },
          },
          required: ['claim', 'reason', 'verdict'],
          additionalProperties: false,
        },
      },
    },
    required: ['claims'],
    additionalProperties: false,
  },
}
