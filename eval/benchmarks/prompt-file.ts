import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/json.ts'
import { fillTemplate } from '../protocols/fill-template.ts'
import type { Wordings } from '../protocols/frames.ts'

// A person's own wording of what a model alone is asked after the frames: by task, with {question}, {options} and {subtitles} where
// they belong. The released wording may not be shipped; who has it can put it here.
export interface PromptFile {
  file: string
  sha256: string
  prompts: Record<string, string>
}

export const promptSetting = z
  .string()
  .optional()
  .describe('a JSON file with your wording for --by alone: {"<task>": "{subtitles} {question} {options}"}')

export async function readPromptFile(file: string, tasks: readonly string[]): Promise<PromptFile> {
  const hint = `Expected is {"<task>": "..."} with {question} in each text; tasks are ${tasks.join(', ')}.`
  const text = await readFile(file, 'utf8').catch(error => {
    throw new UsageError(`The prompts at ${file} cannot be read: ${errorText(error)}.`, { hint })
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${errorText(error)}.`, { hint, cause: error })
  }
  const parsed = z.record(z.string(), z.string()).safeParse(value)
  const names = parsed.success ? Object.keys(parsed.data) : []
  const wrong = names.find(name => !tasks.includes(name) || !parsed.data?.[name]?.includes('{question}'))
  if (!parsed.success || names.length === 0 || wrong !== undefined)
    throw new UsageError(
      `${file} holds no prompts${wrong === undefined ? '' : `: "${wrong}" is not a task, or its text has no {question}`}.`,
      { hint },
    )
  return { file, sha256: sha256(text), prompts: parsed.data }
}

// The text after the frames in a person's own wording; undefined if there is none for this task.
export function readPrompt(
  { prompts }: Wordings,
  task: string,
  filled: { question: string; options?: string; subtitles?: string },
): string | undefined {
  const prompt = prompts && Object.hasOwn(prompts, task) ? prompts[task] : undefined
  return prompt === undefined ? undefined : fillTemplate(prompt, { options: '', subtitles: '', ...filled })
}
