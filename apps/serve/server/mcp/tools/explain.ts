import { z } from 'zod'
import { defineMcpTool } from '../define-tool.ts'
import { explainRun, type StepItem } from '../explain-run.ts'
import { fillPage } from '../fill-page.ts'
import { cursorInput, cursorOutput, McpMoment } from '../shapes.ts'

export const explainTool = defineMcpTool({
  name: 'explain',
  title: 'Explain an answer',
  description:
    'Shows how an answer came about: each call of a tool with what it found, what was searched and looked at, and the rows that are cited.',
  input: z.object({ run: z.string().min(1).max(300).describe('"run" of a reply of "ask"'), cursor: cursorInput }),
  output: z.object({
    state: z.string(),
    steps: z.array(
      z.object({
        step: z.number(),
        tool: z.string(),
        outcome: z.string(),
        found: z.number().describe('rows'),
        seconds: z.number(),
      }),
    ),
    cited: z.array(McpMoment),
    cursor: cursorOutput,
  }),
  annotations: { readOnlyHint: true },
  async run({ run, cursor = '0' }, { place }) {
    const { state, steps, cited } = await explainRun(place.home, run)
    const page = fillPage<StepItem | McpMoment>([...steps, ...cited], cursor)
    return {
      summary: `${steps.length} steps; ${cited.length} rows cited; ${state}.`,
      words: page.words,
      data: {
        state,
        steps: page.items.filter(item => 'tool' in item),
        cited: page.items.filter(item => 'row' in item),
        ...(page.cursor !== undefined && { cursor: page.cursor }),
      },
    }
  },
})
