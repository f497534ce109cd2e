import type { Policy } from '../session.ts'

const least = 1 / 16 // of the usual length

// Long results and ledgers are cut to length in prompts, every id stays. Where a model says that the prompt is too long
// (`reason: 'context-overflow'`) it is halved and asked again, down to a sixteenth.
export default {
  lengths: ({ parts: { policy }, promptShare }) => ({
    results: policy.resultCharacters * promptShare,
    ledger: policy.ledgerCharacters * promptShare,
  }),
  shorten(session) {
    if (session.promptShare <= least) return false
    session.promptShare /= 2
    return true
  },
} satisfies Policy
