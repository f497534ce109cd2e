export interface Thought {
  text: string // without thinking
  thinking?: string
  open: boolean // the last block was never closed, so there is no answer
}

const mark = /<(\/?)(?:think|thinking|thought|reasoning|seed:think)>|\[(\/?)THINK\]|◁(\/?)think▷/gi

// Separates thinking from the answer. Some chat templates open the block themselves, so the reply holds only its end.
export function splitThinking(reply: string): Thought {
  if (reply.includes('<|channel|>')) return splitChannels(reply)
  const thoughts: string[] = []
  let text = ''
  let inside = false
  let from = 0
  for (const tag of reply.matchAll(mark)) {
    const closes = tag.slice(1).includes('/')
    if (inside && !closes) continue
    const piece = reply.slice(from, tag.index)
    if (inside) thoughts.push(piece)
    else if (closes) thoughts.push(text + piece)
    if (!inside) text = closes ? '' : text + piece
    inside = !closes
    from = tag.index + tag[0].length
  }
  const rest = reply.slice(from)
  return inside ? thought(text, [...thoughts, rest], true) : thought(text + rest, thoughts, false)
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
  const [before = '', ...parts] = reply.split('<|channel|>')
  for (const replyPart of parts) {
    const [, head = replyPart, body = ''] =
      /^([^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>([\s\S]*)$/.exec(replyPart) ?? []
    const words = body.replace(/<\|(end|call|return)\|>[\s\S]*$/, '')
    const call = /to=(?:functions\.)?([\w.-]+)/.exec(head)?.[1]
    if (call) text += `<function=${call}>${words}</function>`
    else if (/^\s*analysis/.test(head)) thoughts.push(words)
    else text += words
    answered ||= call !== undefined || /^\s*final/.test(head)
  }
  return thought(before.replace(/<\|start\|>\w*/g, '') + text, thoughts, !answered)
}
