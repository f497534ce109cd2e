import { z } from 'zod'
import { defineTool } from '../define.ts'
import { from_lang, to_lang } from './languages.ts'
import { translate } from './translate.ts'

export default defineTool({
  name: 'translate_text',
  description: 'Translates a text, for example what was read on screen, from one language to another.',
  input: z.object({ text: z.string().min(1), from_lang, to_lang }),
  async run({ text, from_lang, to_lang }, context) {
    const translated = await translate(text, from_lang, to_lang, 'translate_text', context)
    return { evidence: [], text: `In ${to_lang}, by ${translated.by}: ${translated.text}`, outcome: 'found' }
  },
})
