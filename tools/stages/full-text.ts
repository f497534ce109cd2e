import { everyRow, type Stage } from '../../src/core/stage.ts'

// What full-text search reads. Writes words.sqlite.
const fullText: Stage = {
  name: 'full-text',
  version: 2,
  by: 'search/fts5',
  after: [everyRow],
  partial: true,
  make: async ({ out, results: { rows }, search, signal }) =>
    search.words(out.path('words.sqlite'), await rows(), signal),
}
export default fullText
