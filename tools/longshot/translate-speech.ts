import { z } from 'zod'
import { byTime } from '../../src/core/evidence.ts'
import { defineTool } from '../define.ts'
import { remarks } from '../inputs.ts'
import { timestamp } from './timestamp.ts'
import { spokenIn } from './transcribe-speech.ts'
import { from_lang, to_lang, translate, translator } from './translate.ts'

export default defineTool({
  name: 'translate_speech',
  description: 'What is said in a segment, in another language: the transcript and its translation.',
  makes: ['speech'],
  input: z.object({ timestamp, from_lang, to_lang }),
  async run({ timestamp, from_lang, to_lang }, context) {
    const writer = await translator('translate_speech', context)
    const language = /^[a-z]{2,3}$/i.test(from_lang) ? from_lang.toLowerCase() : undefined
    const spoken = await spokenIn(timestamp, language, context)
    if (spoken.evidence.length === 0) return spoken
    const rows = [...spoken.evidence].sort(byTime)
    const speech = rows.map(row => row.text.replace(/\s+/g, ' ')).join('\n')
    const { text, remark } = await translate(writer, speech, { from: from_lang, to: to_lang }, context)
    const span = {
      start: Math.min(...rows.map(row => row.span.start)),
      end: Math.max(...rows.map(row => row.span.end)),
    }
    const translation = context.note({ span, track: 'claim', text: `In ${to_lang}: ${text}` }, writer.by)
    return { evidence: [translation, ...rows], ...remarks(spoken.text, remark) }
  },
})
