import { everyRow, type Stage } from '../../src/core/stage.ts'
import { need, shotList } from './results.ts'
import { promptsHash } from './story/prompts.ts'

// What a language model makes of the rows: clips, scenes, chapters and the whole in sentences that cite them. It stands in place of the
// chapters of the stage "overview". Writes story.json, calls.json, and as rows that can be searched and cited, evidence.jsonl.
const story: Stage<'writer'> = {
  name: 'story',
  version: 1,
  role: 'writer',
  asks: 'summarise',
  after: ['decode', everyRow],
  partial: true,
  mayFail: true,
  rows: true,
  replaces: 'overview',
  wanted: ({ settings }) => settings.overview === 'written',
  settings: ({ settings }) => ({ tokens: settings.overviewTokens, prompts: promptsHash }),
  forecast: async given => (await import('./story/forecast.ts')).storyCost(given),
  async make(context) {
    const { storyRows, writeStory } = await import('./story/write-story.ts')
    const { budgetOfOverview, openBudget } = await import('./captions/budget.ts')
    const { out, signal, video, settings } = context
    const budgeter = openBudget(budgetOfOverview(settings), context.price)
    const { service, by } = await context.open()
    const shots = await shotList(need(context.results.result('decode')))
    const story = await writeStory(await context.results.rows(), shots, {
      model: service,
      parts: out.parts,
      budgeter,
      signal,
      duration: video.duration,
      maxTokens: settings.overviewTokens,
      progress: context.progress,
    })
    await out.json('story.json', { by, ...story.story })
    await out.json('calls.json', story.spent)
    await out.lines('evidence.jsonl', storyRows(story.levels, video.id, by))
    for (const note of story.notes) out.note(note)
  },
}
export default story
