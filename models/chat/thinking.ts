export interface Thought {
  text: string // without thinking
  thinking?: string
  open: boolean // the last block was never closed: what came is no answer
}

const OPEN = /<(think|thinking|thought|reasoning|seed:think)>|\[THINK\]|◁think▷/i
const CLOSE = /<\/(think|thinking|thought|reasoning|seed:think)>|\[\/THINK\]|◁\/think▷/i

// Parts thinking from answer. Some chat templates open the block themselves, so that only its end is in the reply.
export function splitThinking(reply: string): Thought {
  if (reply.includes('<|channel|>')) return splitChannels(reply)
  const thoughts: string[] = []
  let text = ''
  let rest = reply
  for (;;) {
    const open = OPEN.exec(rest)
    const close = CLOSE.exec(rest)
    if (close && (!open || close.index < open.index)) {
      thoughts.push(text + rest.slice(0, close.index))
      text = ''
      rest = rest.slice(close.index + close[0].length)
      continue
    }
    if (!open) return thought(text + rest, thoughts, false)
    text += rest.slice(0, open.index)
    rest = rest.slice(open.index + open[0].length)
    const end = CLOSE.exec(rest)
    thoughts.push(end ? rest.slice(0, end.index) : rest)
    if (!end) return thought(text, thoughts, true)
    rest = rest.slice(end.index + end[0].length)
  }
}

function thought(text: string, thoughts: string[], open: boolean): Thought {
  const thinking = thoughts
    .map(part => part.trim())
    .filter(part => part !== '')
    .join('\n\n')
  return { text: text.trim(), thinking: thinking || undefined, open }
}

// gpt-oss writes its reply in channels: "analysis" is thinking, "final" is the answer, "commentary" carries calls.
function splitChannels(reply: string): Thought {
  const thoughts: string[] = []
  let text = ''
  let answered = false
  const parts = reply.split('<|channel|>')
  for (const part of parts.slice(1)) {
    const [, head, body] = /^([^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>([\s\S]*)$/.exec(part) ?? [
      undefined,
      part,
      '',
    ]
    const words = body.replace(/<\|(end|call|return)\|>[\s\S]*$/, '')
    const call = /to=(?:functions\.)?([\w.-]+)/.exec(head)?.[1]
    if (call) text += `<function=${call}>${words}</function>`
    else if (/^\s*analysis/.test(head)) thoughts.push(words)
    else text += words
    answered ||= call !== undefined || /^\s*final/.test(head)
  }
  return thought(parts[0].replace(/<\|start\|>\w*/g, '') + text, thoughts, !answered)
}
