import type { Policy } from '../session.ts'

// Rounds, tokens, frames, seconds and money end the search, a fifth of tokens, seconds and money is kept for the answer; a
// look that would pass the frames that are left is not made (`graphs/calls/frame-guard.ts`). Off: only 64 rounds end it.
export default { budget: given => given } satisfies Policy
