import { BackendError } from '../../core/errors.ts'
import { Evidence } from '../../core/evidence.ts'
import type { Tool, ToolContext } from '../../core/tool.ts'

// What is wrong with a row returned by a tool of the user; undefined if it may enter the ledger.
export function wrongRow(row: unknown, context: ToolContext): string | undefined {
  const parsed = Evidence.safeParse(row)
  if (!parsed.success) {
    const { path = [], message = 'is not valid' } = parsed.error.issues[0] ?? {}
    return `${path.join('.') || 'a row'}: ${message}`
  }
  const { id, span, video, by } = parsed.data
  const where = `${id} at ${span.start}-${span.end}`
  if (video !== context.video.id) return `${where} belongs to the video "${video}"`
  const indexRow = context.evidence(id)
  if (!indexRow) return `${where} was not made by context.note and is not of the index`
  if (span.end < span.start) return `${where} ends before it starts`
  if (span.end > context.video.duration + 0.001) return `${where} lies outside the video of ${context.video.duration} s`
  if (indexRow.span.start !== span.start || indexRow.span.end !== span.end || indexRow.text !== parsed.data.text)
    return `${where} was changed after it was stamped`
  return by.trim() === '' ? `${where} does not say who found it` : undefined
}

// The same tool with its rows validated: no invented time gets into an answer.
export function withCheckedRows(tool: Tool): Tool {
  return {
    ...tool,
    async run(input, context) {
      const result = await tool.run(input, context)
      if (!Array.isArray(result?.evidence)) throw broken(tool, 'it must return { evidence: [...] }')
      for (const row of result.evidence) {
        const wrong = wrongRow(row, context)
        if (wrong) throw broken(tool, wrong)
      }
      return result
    },
  }
}

function broken(tool: Tool, what: string): BackendError {
  return new BackendError(`${tool.name} returned something that is not evidence: ${what}.`, {
    hint: 'Try the tool with "longtake config tool check FILE".',
  })
}
