import { z } from 'zod'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import { from_lang, to_lang, translate, translator } from './translate.ts'

export default defineTool({
  name: 'translate_text',
  description: 'Translates a text, for example what was read on screen, from one language to another.',
  input: z.object({ text: z.string().min(1), from_lang, to_lang }),
  async run({ text, from_lang, to_lang }, context) {
    const writer = await translator('translate_text', context)
    const { text: words, remark } = await translate(writer, text, { from: from_lang, to: to_lang }, context)
    return { evidence: [], ...remarks(`In ${to_lang}, by ${writer.by}: ${words}`, remark), outcome: 'found' }
  },
})
