import { join } from 'node:path'
import { z } from 'zod'
import { absentAs } from '../../../src/core/errors.ts'
import { readBoundedText } from '../../../src/core/machine/read-bounded.ts'
import { ModelFolder } from '../../hub/hub-model.ts'

const Legacy = z.object({ chat_template: z.string() })

// The chat template of a file of its own, which goes before the tokenizer's; newer models have no other.
export async function templateFile(folder: string): Promise<string | undefined> {
  const text = (name: string) => readBoundedText(join(folder, name), 64e6).catch(absentAs(undefined))
  const jinja = await text('chat_template.jinja')
  if (jinja !== undefined || (await text('chat_template.json')) === undefined) return jinja
  return (await new ModelFolder(folder).json('chat_template.json', Legacy)).chat_template
}
