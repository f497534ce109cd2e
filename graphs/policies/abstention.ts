import { abstain } from '../answer/quotes.ts'
import type { Policy } from '../session.ts'

// "Not in the video, as far as it is indexed", with the nearest moments; off: the nearest rows are quoted as if they answered.
export default {
  finish: ({ parts: { question, index }, ledger }) => ({
    instead: abstain(question.text, [...ledger.values()], index.coverage),
  }),
} satisfies Policy
