import type { Policy } from '../../graphs/session.ts'
import { buildCalls } from '../../src/core/calls/kinds.ts'

// A question about who made the video: the text of its last two minutes is listed, where the credits run.
export default {
  calls({ parts: { question, tools, index } }) {
    if (!/\b(direct(or|ed)|produce[rd]|filmed|credits)\b/i.test(question.text)) return []
    const { duration } = index.coverage
    return buildCalls(tools, 'list', 'credits', { tracks: ['text'], start: Math.max(0, duration - 120), end: duration })
  },
} satisfies Policy
