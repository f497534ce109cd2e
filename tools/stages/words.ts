import { everyRow, type Stage } from '../../src/core/stage.ts'

// Search by words. Writes words.sqlite.
const words: Stage = {
  name: 'words',
  version: 2,
  by: 'search/fts5',
  after: [everyRow],
  partial: true,
  make: async ({ out, results: { rows }, search, signal }) =>
    search.words(out.path('words.sqlite'), await rows(), signal),
}
export default words
