import { callMark } from './text-calls.ts'
import { splitThinking } from './thinking.ts'

interface VisibleText {
  push(piece: string): void
  finish(text: string): void // the final text of the reply: shows what was held back
}

// Streams a reply to the user, without thinking and without what may become a tool call.
export function streamVisibleText(show: (piece: string) => void, withTools: boolean): VisibleText {
  let all = ''
  let visibleSoFar = ''
  const showUpTo = (text: string) => {
    if (text.length <= visibleSoFar.length || !text.startsWith(visibleSoFar)) return
    show(text.slice(visibleSoFar.length))
    visibleSoFar = text
  }
  return {
    push(piece) {
      all += piece
      showUpTo(settled(all, withTools))
    },
    finish: showUpTo,
  }
}

// The part of the reply that no later piece can change; a partial mark at its end is held back.
function settled(all: string, withTools: boolean): string {
  const { text } = splitThinking(all)
  const mark = withTools ? text.search(anyCall) : -1
  const sure = (mark >= 0 ? text.slice(0, mark) : text).replace(/[<[◁][^>\]▷]{0,32}$/, '')
  return (withTools ? sure.replace(/^[^\n]{0,24}$(?![\s\S])/m, '') : sure).trimEnd()
}

const anyCall = new RegExp(`${callMark.source}|\`\`\`|^[{[]|^[ \\t]*Action:|^\\w+\\(`, 'im')
