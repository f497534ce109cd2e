import type { z } from 'zod'
import { dataRule } from '../../../src/core/words/fence.ts'
import type { SourceRecord } from '../item.ts'
import type { Before, MakeStage, MakeUnit, StageWork } from '../recipe.ts'
import { type Made, writtenBy } from './author.ts'

// A stage in which an author that is a model writes one thing for each input; the rules write nothing in it.
export interface Writing<Settings, Input, Value, Output> {
  name: string
  version: string
  words: readonly string[] // of its prompt, which is called as the stage is
  shape: z.ZodType<Value>
  temperature: number
  maxTokens: number
  most(settings: Settings): number // inputs of a video
  inputs(record: SourceRecord, before: Before, settings: Settings): MakeUnit[]
  needless?(input: Input, work: StageWork<Settings, Output>): Made<Output> | undefined // known without asking
  text(input: Input, work: StageWork<Settings, Output>): string[]
  faultOf?(value: Value, input: Input, work: StageWork<Settings, Output>): string | undefined
  outputOf(value: Value, input: Input, unit: string, record: SourceRecord): Output
}

export function writingStage<Settings, Input, Value, Output>(
  wish: Writing<Settings, Input, Value, Output>,
): MakeStage<Settings, Output> {
  const { name, version, shape, temperature, maxTokens } = wish
  return {
    ...{ name, version, prompts: { [name]: [...wish.words, dataRule].join('\n') } },
    units: (record, { author, before, settings }) => {
      if (!('model' in author)) return []
      if (before) return wish.inputs(record, before, settings)
      return Array.from({ length: wish.most(settings) }, (_, at) => ({
        unit: `${record.video_id}/${name}${at + 1}`,
        input: at,
      }))
    },
    calls: (_, author) => Number('model' in author),
    make: async (made, work) => {
      const input = made.input as Input
      const known = wish.needless?.(input, work)
      if (known) return known
      const { unit } = made
      const wanted = {
        ...{ unit, system: work.prompts[name] ?? '', name, shape, temperature, maxTokens },
        prompt: wish.text(input, work).join('\n'),
        faultOf: (value: Value) => wish.faultOf?.(value, input, work),
      }
      return writtenBy(work.author, wanted, value => wish.outputOf(value, input, unit, work.record))
    },
  }
}
