import type { Policy } from '../session.ts'

const least = 1 / 16 // of the usual length

// Long results and ledgers are cut to length in prompts, every id stays; pictures stay for three rounds. Where a model says that
// the prompt is too long (`reason: 'context-overflow'`) the older half of its pictures goes, and when none is left its words are
// halved, down to a sixteenth.
export default {
  lengths: ({ parts: { policy }, promptShare }) => ({
    pictureRounds: 3,
    results: policy.resultCharacters * promptShare,
    ledger: policy.ledgerCharacters * promptShare,
  }),
  shorten(session) {
    if (session.dropPictures()) return true
    if (session.promptShare <= least) return false
    session.promptShare /= 2
    return true
  },
} satisfies Policy
