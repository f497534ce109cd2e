import type { Blueprint } from './compile.ts'
import { openHelper } from './helper/run-helper.ts'
import { act } from './nodes/act.ts'
import { answer } from './nodes/answer.ts'
import { check } from './nodes/check.ts'
import { draft } from './nodes/draft.ts'
import { overview } from './nodes/overview.ts'
import { plan } from './nodes/plan.ts'

const agent = {
  nodes: {
    overview: { work: overview, next: ['plan'] },
    plan: { work: plan, next: ['plan', 'act', 'draft'] },
    act: { work: act, next: ['plan'] },
    draft: { work: draft, next: ['check'] },
    check: { work: check, next: ['answer'] },
    answer: { work: answer, next: [] },
  },
  policies: given => given,
  unlimited: { steps: 64, tokens: Number.MAX_SAFE_INTEGER, frames: Number.MAX_SAFE_INTEGER, seconds: 86_400 },
} satisfies Blueprint

// The firm agent: overview -> plan -> act -> draft -> check -> answer. Always ends with an answer. Inside of a step it may run once
// more, as a helper that has none of its own.
export default { ...agent, parts: given => ({ ...given, helper: openHelper(agent) }) } satisfies Blueprint
