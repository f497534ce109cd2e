import type { Policy } from '../session.ts'

// The chapters are in the first prompt, and the rows that they rest on in the ledger, so that they can be cited.
export default {
  begin({ parts: { index } }) {
    const cited = index.overview.chapters.flatMap(chapter => chapter.cites.slice(0, 2))
    return { rows: cited.map(id => index.byId(id)).filter(row => row !== undefined) }
  },
  steer: ({ parts: { index } }) => ({ overview: index.overview }),
} satisfies Policy
