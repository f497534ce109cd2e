import { concludeAnswer } from '../answer/conclude-answer.ts'
import { act } from '../nodes/act.ts'
import { explorerRules } from '../prompts/baselines.ts'
import { baselineGraph, toolLoop } from './baseline.ts'
import { explorerTools } from './video-explorer/tools.ts'

const mostRounds = 20

// VideoExplorer: a planner that sees nothing sends a grounder, a reader and a browser after one thing at a time, until it answers. Native
// calls stand for its tags, models.writer for its trained grounder, and our search for its encoders.
export default baselineGraph(
  {
    plan: {
      work: toolLoop({
        rules: explorerRules,
        lastWord: 'No more calls. Answer now; if you are not sure, with what is most likely.',
        rounds: () => mostRounds,
        isHeld: true,
        before: ({ parts }, { round }) =>
          `${Math.max(0, Math.min(mostRounds, parts.budget.steps) - round)} rounds are left.`,
        async calls({ parts, ledger }, { round, steps }) {
          const question = parts.question.text
          const ask = { id: 'rule_0', name: 'temporal_grounding', arguments: { need: question } }
          const sayCall = {
            id: 'rule_1',
            name: 'subtitle_extractor',
            arguments: { start: 0, end: parts.index.coverage.duration },
          }
          if (round === 0) return [ask, sayCall]
          const foundRows = round === 1 && parts.vision ? ledger.rows(steps[0]?.evidence ?? []) : []
          return foundRows
            .slice(0, 1)
            .map(({ span }) => ({ id: 'rule_2', name: 'video_reader', arguments: { ...span, question } }))
        },
      }),
      next: ['act', 'answer'],
    },
    act: { work: act, next: ['plan'] },
    answer: { work: concludeAnswer, next: [] },
  },
  given => ({ ...given, tools: explorerTools() }),
)
