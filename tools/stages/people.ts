import type { Stage } from '../../src/core/stage.ts'

const by = 'people/rules'

// Who is there: voices, faces and descriptions with the names that rows bind to them. Writes people.json and, as evidence.jsonl, the
// lines of the speakers stage, or if there is none those of subtitles, with these names, and a row for each place where somebody with a name speaks or appears.
const people: Stage = {
  name: 'people',
  version: 3,
  by,
  rows: true,
  replaces: 'speakers',
  partial: true,
  after: ['decode', 'text', 'speech', 'speakers', 'captions', 'faces'],
  wanted: ({ settings, makes }) => settings.people && ['speakers', 'captions', 'faces'].some(makes),
  settings: ({ subtitled }) => (subtitled ? { names: 'in lines of subtitles' } : {}),
  async make(context) {
    const { makePeople } = await import('./people/make-people.ts')
    await makePeople(context, by)
  },
}
export default people
