import { UsageError } from '../../src/core/errors.ts'
import type { ToolContext } from '../../src/core/tool.ts'
import { writesProse, written } from './written.ts'

const longest = 12_000 // characters at once

export interface Translated {
  text: string
  by: string
}

// A text in another language, by the language model of the role "writer".
export async function translate(
  text: string,
  from: string,
  to: string,
  tool: string,
  context: ToolContext,
): Promise<Translated> {
  if (text.length > longest)
    throw new UsageError(`${tool}: ${text.length} characters are more than fit at once (${longest}).`, {
      hint: 'Translate it in shorter pieces.',
    })
  const writer = await context.services.writer()
  if (!writesProse(writer))
    throw new UsageError(`${tool} needs a language model, and ${writer.by} is none.`, {
      hint: 'Set one for the role "writer", as --set models.writer.backend=ollama; "longtake doctor" shows which are ready.',
    })
  const source = /^(auto|unknown|detect|any|)$/i.test(from.trim()) ? 'its language' : from
  const task = `Translate the text from ${source} to ${to}. Reply with the translation alone; keep line breaks, names and numbers.`
  return { text: await written(writer, { purpose: 'translate', task, material: text }, context), by: writer.by }
}
