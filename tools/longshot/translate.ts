import type { ChatModel } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Named, ToolContext } from '../../src/core/tool.ts'
import { writesProse, written } from './written.ts'

const longest = 12_000 // characters at once

// The language model of the role "writer", asked for before any work is done for it.
export async function translator(tool: string, context: ToolContext): Promise<Named<ChatModel>> {
  const writer = await context.services.writer()
  if (writesProse(writer)) return writer
  throw new UsageError(`${tool} needs a language model, and ${writer.by} is none.`, {
    hint: 'Set one for the role "writer", as --set models.writer.backend=ollama; "longtake doctor" shows which are ready.',
  })
}

// A text in another language.
export async function translate(
  writer: Named<ChatModel>,
  text: string,
  { from, to }: { from: string; to: string },
  context: ToolContext,
): Promise<string> {
  if (text.length > longest)
    throw new UsageError(`${text.length} characters are more than can be translated at once (${longest}).`, {
      hint: 'Translate it in shorter pieces.',
    })
  const source = /^(auto|unknown|detect|any|)$/i.test(from.trim()) ? 'its language' : from
  const task = `Translate the text from ${source} to ${to}. Reply with the translation alone; keep line breaks, names and numbers.`
  return written(writer, { purpose: 'translate', task, material: text }, context)
}
