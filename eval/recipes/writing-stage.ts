import type { z } from 'zod'
import { dataRule, fence } from '../../src/core/words/fence.ts'
import { type AuthorRequest, type Unmade, writtenBy } from './author.ts'
import type { SourceRecord } from './item.ts'
import type { Before, MakeStage, StageWork } from './recipe.ts'

// A stage in which a model writes one thing for each input; the rules write nothing in it.
export interface Writing<Settings, Input, Value, Output> extends Pick<MakeStage, 'name' | 'version' | 'role' | 'over'> {
  words: readonly string[] // of its prompt, which is called as the stage is
  shape: z.ZodType<Value>
  temperature: number
  maxTokens: number
  most?(settings: Settings, record: SourceRecord): number // inputs of a video; one where left out
  inputs(record: SourceRecord, before: Before, settings: Settings, seed: number): { unit: string; input: Input }[]
  needless?(input: Input, work: StageWork<Settings, Output>): Unmade | undefined // why nobody is asked
  shown?(input: Input, work: StageWork<Settings, Output>): Promise<Pick<AuthorRequest<Value>, 'pictures' | 'sounds'>>
  text(input: Input, work: StageWork<Settings, Output>): string[]
  faultOf?(value: Value, input: Input, work: StageWork<Settings, Output>): string | undefined
  outputOf(value: Value, input: Input, unit: string, record: SourceRecord): Output
}

// What the questions before it asked, in the prompt of one that shall ask something else; nothing for the first.
export function askedBefore(questions: readonly string[], heading = 'Already asked:'): string[] {
  return questions.length > 0 ? [heading, fence('questions', questions.join('\n'))] : []
}

export function writingStage<Settings, Input, Value, Output>(
  wish: Writing<Settings, Input, Value, Output>,
): MakeStage<Settings, Output> {
  const { name, version, role, over, shape, temperature, maxTokens } = wish
  return {
    name,
    version,
    role,
    over,
    prompts: { [name]: [...wish.words, dataRule].join('\n') },
    units: (record, { author, before, settings, seed }) => {
      if (!('model' in author)) return []
      if (before) return wish.inputs(record, before, settings, seed)
      return Array.from({ length: wish.most?.(settings, record) ?? 1 }, (_, at) => ({
        unit: `${record.video_id}/${name}${at + 1}`,
        input: at,
      }))
    },
    calls: (_, author) => Number('model' in author),
    make: async (made, work) => {
      const { unit } = made
      const input = made.input as Input
      const needlessOutput = wish.needless?.(input, work)
      if (needlessOutput) return needlessOutput
      const authorRequest = {
        unit,
        system: work.prompts[name] ?? '',
        name,
        shape,
        temperature,
        maxTokens,
        ...(await wish.shown?.(input, work)),
        prompt: wish.text(input, work).join('\n'),
        faultOf: (value: Value) => wish.faultOf?.(value, input, work),
      }
      return writtenBy(work.author, authorRequest, value => wish.outputOf(value, input, unit, work.record))
    },
  }
}
