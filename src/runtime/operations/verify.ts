import { z } from 'zod'
import verifyClaim from '../../../tools/verify-claim.ts'
import type { Operation } from '../../core/operation.ts'
import { readSpan } from './choose-span.ts'
import { timeInput, videoInput } from './inputs.ts'
import { spanText } from './read.ts'
import { eachPart, openTimeline } from './source.ts'

const input = z.object({
  video: videoInput,
  claim: z.string().trim().min(1).max(2000),
  start: timeInput,
  end: timeInput,
})

export const verifyOperation: Operation<typeof input> = {
  name: 'verify',
  description:
    'Tries one plain claim against the rows of a span: supported, follows, contradicted or unseen, with the reason. It reads rows only: for what is shown, view.',
  input,
  asksModels: true,
  async run({ video, claim, start, end }, memory) {
    const source = await openTimeline(memory, video)
    const span = readSpan(source, { start, end })
    const judged = await eachPart(memory, source, span, async (index, local) => {
      const context = memory.context(index)
      const [{ by }, { text = '', evidence }] = await Promise.all([
        context.services.verifier(),
        verifyClaim.run(verifyClaim.input.parse({ claim, ...local }), context),
      ])
      return { by, text, isUnseen: evidence.length === 0 }
    })
    const by = judged[0]?.by ?? ''
    const rules = /rules/.test(by) ? ' (rules: they compare words, and know no paraphrase)' : ''
    return {
      head: `By ${by}${rules}, from the rows of ${spanText(span)}:`,
      lines: judged.map(({ text }) => text),
      ...(judged.every(one => one.isUnseen) && { next: `Next: view ${spanText(span)}.` }),
    }
  },
}
