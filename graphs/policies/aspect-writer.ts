import type { Step } from '../../src/core/agent.ts'
import { buildCalls } from '../../src/core/calls/kinds.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Tool } from '../../src/core/tool.ts'
import { openAspects, splitAspects } from '../../src/text/question/aspects.ts'
import { contentWords, keyWords } from '../../src/text/terms.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { tokens } from '../../src/text/words.ts'
import type { Policy } from '../session.ts'

// Where rules write: "Who built it and when was it opened?" is two parts, each searched for and answered from evidence, or named in
// `answer.unknown` and "Not found in the video: ...". A model names what stays unknown itself.
export default {
  begin({ parts: { question, writer } }) {
    const aspects = writer.accepts.has('text') ? [] : splitAspects(question)
    return aspects.length > 1 ? { aspects } : {}
  },
  calls: ({ parts: { tools } }, { weighed, steps }) => aspectCalls(weighed?.aspects ?? [], steps, tools),
  finish(session, { weighed, written }, { held, abstained, choice }) {
    if (abstained || choice !== undefined) return {}
    const aspects = weighed?.aspects ?? []
    const stated = (written?.unknown ?? []).map(one => one.slice(0, 200)).filter(one => statedTimes(one).length === 0)
    const open = aspects.length > 1 ? openAspects(aspects, held, one => session.ledger.rows(one.cites)) : []
    return { unknown: [...new Set([...stated, ...open])].slice(0, 6) }
  },
} satisfies Policy

// A search for each part that no call looked for.
function aspectCalls(aspects: readonly string[], steps: readonly Step[], tools: readonly Tool[]): ToolCall[] {
  if (aspects.length < 2) return []
  const inputs = steps.map(step => JSON.stringify(step.input ?? '').slice(0, 2000))
  return aspects.flatMap((aspect, i) => {
    const query = keyWords(aspect)
    if (inputs.some(input => coverage(tokens(query), input) >= 0.9 && !holdsOthers(input, aspects, i))) return []
    return buildCalls(tools, 'search', `aspect-${i}`, { query, k: 6 })
  })
}

// A call for the whole question found rows for the loudest of its parts, not for each.
function holdsOthers(input: string, aspects: readonly string[], at: number): boolean {
  return aspects.some((other, i) => i !== at && coverage(contentWords(other), input) >= 0.9)
}
