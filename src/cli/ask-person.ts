import type { Inquiry } from '../core/run/checkpoints.ts'
import type { AskOptions } from '../core/runtime.ts'
import { safeJson, visibleLine } from '../core/words/visible-text.ts'
import type { Call } from './call.ts'
import { openLines } from './chat/lines.ts'

// The person at the terminal, who may say what a tool may do and what a question means. Nobody is asked where nobody can answer.
export function personAt(call: Call): AskOptions['reply'] {
  const { input } = call.world
  if (!input?.live || !call.terminal.live || call.json || call.has('--ndjson')) return undefined
  return async inquiry => {
    call.terminal.draw([])
    call.terminal.say(formatInquiry(inquiry))
    const lines = openLines(input, () => lines.close())
    try {
      const line = (await lines.next())?.trim() ?? ''
      return inquiry.type === 'permission' ? /^y(es)?$/i.test(line) : line
    } finally {
      lines.close()
    }
  }
}

function formatInquiry(inquiry: Inquiry): string {
  if (inquiry.type === 'clarify') return `What does "${visibleLine(inquiry.words)}" mean? Enter leaves it as it is.`
  const { tool, permission, input } = inquiry
  return `May ${visibleLine(tool)} run? It needs the permission "${permission}", for this run: yes or no.\n${safeJson(input).slice(0, 2000)}`
}
